import { type Call, get } from './api.ts'
import { OneApplication } from './application.tsx'
import { pathOf } from './application-kinds.ts'
import { ApplicationList, firstCallsOfList } from './application-list.tsx'
import { NewApplication } from './application-new.tsx'
import { tabAt } from './application-tabs.tsx'
import { TestedSignIn } from './application-test-result.tsx'
import type { Place } from './router.tsx'

export function firstCalls(place: Place): readonly Call[] {
  const [, id] = place.segments
  if (id === undefined) return firstCallsOfList(place)
  return id === 'new' ? [] : [get(pathOf(id))]
}

/** `/admin/applications`, `/admin/applications/new`, `/admin/applications/ID` and its pages. */
export default function ApplicationsPage({ segments }: { segments: readonly string[] }) {
  const [, id, part] = segments
  if (id === undefined) return <ApplicationList />
  if (id === 'new' && part === undefined) return <NewApplication />
  if (part === 'test') return <TestedSignIn key={id} id={id} />
  return <OneApplication key={id} id={id} tab={tabAt(part) ?? 'settings'} />
}
