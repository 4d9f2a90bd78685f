/**
 * Loaded into a service process before anything else (`node --import`): the answer to a request with the header
 * `x-withhold` is made, written to standard output as `{"withheld":…}`, and never leaves. Nothing of the service knows of it.
 */
import { ServerResponse } from 'node:http'

const { end } = ServerResponse.prototype

ServerResponse.prototype.end = function (this: ServerResponse, ...parameters: unknown[]): ServerResponse {
  if (this.req.headers['x-withhold'] === undefined) return Reflect.apply(end, this, parameters)
  process.stdout.write(`${JSON.stringify({ withheld: String(parameters[0]) })}\n`)
  return this
}
