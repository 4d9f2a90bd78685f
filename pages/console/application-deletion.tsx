import { useEffect, useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { toast } from '../kit/toast.tsx'
import { fill, fillNodes } from '../texts.ts'
import { call, type Result } from './api.ts'
import { Asking } from './change.tsx'
import { at, go } from './router.tsx'
import { words } from './texts.ts'

type Props = {
  id: string
  name: string
  etag: string | null
  /** Called when the application is gone, before its page is left. */
  beforeLeaving(): void
}

/** Deletes an application. Roles that belong to it are named first, and go with it when it is asked again. */
export function DeletionSection({ id, name, etag, beforeLeaving }: Props) {
  const [roles, setRoles] = useState(0)
  const [isGone, setGone] = useState(false)
  const text = words().applications
  const withRoles = fill(text.deleteRoles, { count: roles })

  async function remove(force: boolean): Promise<Result<{ roles: number }>> {
    const path = `/clients/${encodeURIComponent(id)}`
    const result = await call({ method: 'DELETE', path, query: force ? { force } : {}, etag })
    const count = result.kind === 'refused' ? result.problem.used_by?.count : undefined
    if (typeof count === 'number') return { kind: 'ok', value: { roles: count }, etag: null }
    return result.kind === 'ok' ? { ...result, value: { roles: 0 } } : result
  }

  // What is typed and not saved is of no use any more.
  function leave(): void {
    beforeLeaving()
    setGone(true)
  }

  useEffect(() => {
    if (isGone) go(at('applications'))
  }, [isGone])

  let found = 0
  return (
    <Section id="delete" title={words().common.delete}>
      <Asking
        key={roles}
        label={words().common.delete}
        question={fillNodes(text.deleteAsk, { name: <bdi>{name}</bdi> })}
        body={<p>{roles === 0 ? text.deleteBody : `${text.deleteBody} ${withRoles}`}</p>}
        confirm={id}
        act={async () => {
          const result = await remove(roles > 0)
          if (result.kind === 'ok') found = result.value.roles
          return result
        }}
        then={() => {
          if (found === 0) return leave()
          setRoles(found)
          toast(fill(text.deleteRoles, { count: found }))
        }}
      />
    </Section>
  )
}
