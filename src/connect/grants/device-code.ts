import { decideDevicePoll, deviceGrantType } from '../../protocol/device/device-code.ts'
import { sidOf } from '../../protocol/logout/logout-claims.ts'
import { refuse } from '../../protocol/refusals/index.ts'
import { chooseResources, maxResources } from '../../protocol/scope/resource.ts'
import { isRefusal } from '../../refusal.ts'
import { secretMatches } from '../../secrets/opaque.ts'
import type { DevicePollFacts } from '../../storage/port/grants.ts'
import { readDeviceCode } from '../../tokens/device-code.ts'
import { newGrant } from '../../tokens/grant.ts'
import type { GrantHandler } from './grant-handler.ts'
import { answerWith, describeIssue, mintWhile, subjectOfTokens, toParties } from './issue.ts'

type PollRequest = { readonly deviceCode: string; readonly resources: readonly string[] }

/** A poll of a device (RFC 8628 §3.4). One read, and no write before the tokens are issued. */
export const deviceCode: GrantHandler<PollRequest, DevicePollFacts> = {
  refuseWithoutClient: () => refuse('client_id_missing'),

  parse: (reader) => ({
    deviceCode: reader.mandatory('device_code', 'device_code_missing') ?? '',
    resources: reader.repeatable('resource', maxResources),
  }),

  async gather({ service, clientId }, request) {
    const presented = readDeviceCode(request.deviceCode)
    const facts = await service.storage.deviceCodes.findForPoll(presented?.id ?? '', clientId)
    const isGenuine =
      presented !== undefined && facts.code !== undefined && secretMatches(presented.secretHash, facts.code.secretHash)
    return isGenuine ? facts : { ...facts, code: undefined }
  },

  async exchange(context, request, facts, client) {
    const { service, http, confirmation } = context
    // decide
    const { code } = facts
    const approval = code?.answer?.kind === 'approved' ? code.answer : undefined
    const decided = decideDevicePoll(code, client, toParties(service, facts, approval), service.clock())
    if (isRefusal(decided)) return decided
    if (decided.outcome === 'pending') {
      const isEarly = code !== undefined && service.devicePolls.isEarly(code.id, code.endsAtMs)
      return refuse(isEarly ? 'device_slow_down' : 'device_pending', '', { client: client.id })
    }

    const { issuer } = service.settings.oauth
    const resources = chooseResources(request.resources, decided.content.resources, issuer, client.id)
    if (isRefusal(resources)) return resources

    const found = subjectOfTokens(service, client, facts)
    const subject = found instanceof Promise ? await found : found

    // commit: the insert under the code's id decides the race to redeem it; tokens are signed meanwhile
    const grant = newGrant(decided.content, client, confirmation, service, service.clock())
    const issue = describeIssue(service, http, grant, grant.scopes, deviceGrantType)
    const answer = await mintWhile(
      context,
      (underWay, spends) => service.storage.grants.redeem(grant, [issue.event], underWay, spends, sidOf(client, grant)),
      () => answerWith(context, client, { ...grant, resources }, grant.scopes, subject, issue.jti),
    )
    if (answer !== false) return answer
    const rule = 'another poll with the same code came at the same moment, or the consent was withdrawn'
    return refuse('device_code_redeemed', 'device_code', { client: client.id, rule })
  },
}
