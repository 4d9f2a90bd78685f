/** Bodies that are sent while they are made. */
import type { ServerResponse } from 'node:http'

/**
 * A body in parts. Whatever becomes of the request, `close` is called when no further part is taken: at the end, when the
 * client disconnects, and at once for HEAD.
 */
export type BodyStream = {
  /**
   * Resolves to the next part, which is not empty; undefined: the end. Called when the client has taken most of what was
   * sent before. After a rejection the connection is closed, so that the client sees that the body is not complete.
   */
  next(): Promise<string | undefined>
  /** Ends a pending `next`. May be called more than once. */
  close(): void
}

/** Sends the parts after the head, as fast as the client reads them. Never rejects. */
export async function sendStream(
  response: ServerResponse,
  body: BodyStream,
  failed: (error: unknown) => void,
): Promise<void> {
  response.once('close', () => body.close())
  if (response.req.method === 'HEAD') {
    response.end()
    return
  }
  response.flushHeaders()
  try {
    for (let part = await body.next(); part !== undefined && !response.destroyed; part = await body.next()) {
      if (!response.write(part)) await drained(response)
    }
    response.end()
  } catch (error) {
    if (!response.destroyed) failed(error)
    response.destroy()
  }
}

/** Resolves when the client has read on, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}
