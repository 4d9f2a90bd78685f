import { call } from './api.ts'
import { type Edited, MemberForm } from './application-form.tsx'
import { type Application, kindOf, pathOf } from './application-kinds.ts'
import { TokenPreview } from './application-preview.tsx'
import { ClaimRules } from './claim-rules.tsx'
import { words } from './texts.ts'

/** How long its tokens live and what they say, with a preview for a person. */
export function ApplicationTokens({ edited }: { edited: Edited }) {
  const { client, etag, saved, mayChange } = edited
  const path = pathOf(client.client_id)
  return (
    <>
      <MemberForm edited={edited} tab="tokens" id="tokens" title={words().applications.tokensTitle} />
      <ClaimRules
        rules={client.claims ?? []}
        lead={words().rules.leadOfApplication}
        places={client.id_token_claims === 'requested' ? ['userinfo'] : ['id_token', 'userinfo']}
        save={mayChange ? (claims) => call<Application>({ method: 'PATCH', path, body: { claims }, etag }) : undefined}
        saved={(value, version) => saved(value as Application, version)}
      />
      {mayChange && kindOf(client) !== 'machine' && <TokenPreview id={client.client_id} scope={client.scope} />}
    </>
  )
}
