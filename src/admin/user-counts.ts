/** `GET /user-counts`: how many people are in the states that the list of people filters by. */
import { peopleCountedTo } from '../storage/port/users.ts'
import { type Operation, operation } from './operation.ts'
import { countSchema, named, strictObject } from './schemas.ts'

export const userCounts: Operation = operation({
  method: 'GET',
  path: '/user-counts',
  permission: 'admin:users:read',
  summary: `Counts the people who are locked, and those whose e-mail address is not confirmed, up to ${peopleCountedTo}`,
  status: 200,
  answer: named('UserCounts', strictObject({ locked: countSchema, unconfirmed: countSchema })),
  async run({ nowMs, service: { storage } }) {
    const [locked, unconfirmed] = await Promise.all([
      storage.userLists.count('locked', nowMs),
      storage.userLists.count('unconfirmed', nowMs),
    ])
    return { body: { locked, unconfirmed } }
  },
})
