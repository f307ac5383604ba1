/** What happens around every request. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AccessLog, CLIENT_CLOSED } from './access-log.ts';
import { whenOver } from './when-over.ts';

/**
 * Logs each request once, when its answer has gone out or its client has left. Listens to the server itself, since
 * requests that the router refuses (a path with a broken escape) never reach a hook.
 */
export function logRequests(server: Server, log: AccessLog): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const arrivedAt = Date.now();
    const started = performance.now();
    // The address is gone once the socket is closed, and the router may rewrite the target.
    const address = request.socket.remoteAddress;
    const target = request.url ?? '/';
    whenOver(request, response, () => {
      log.write({
        arrivedAt,
        method: request.method ?? '-',
        target,
        status: response.writableFinished ? response.statusCode : CLIENT_CLOSED,
        timeTakenMs: performance.now() - started,
        address: address?.replace(/^::ffff:/, ''),
        userAgent: request.headers['user-agent'],
        sessionId: headerText(request.headers['x-session-id']),
      });
    });
  });
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}
