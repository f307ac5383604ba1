/** When a request is over: its answer has gone out, or nobody is there any more to take it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What waits for the end of a connection; one listener a socket, however many requests a client sends ahead. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `act` once. The response alone does not do: when a client leaves, Node 20 tells only the response that it is just
 * writing, and not those that wait behind it on the same connection.
 */
export function whenOver({ socket }: IncomingMessage, response: ServerResponse, act: () => void): void {
  const here = waiting.get(socket) ?? listenTo(socket);
  const over = (): void => {
    if (!here.delete(over)) return;
    response.off('close', over);
    act();
  };
  here.add(over);
  response.once('close', over);
}

function listenTo(socket: Socket): Set<() => void> {
  const here = new Set<() => void>();
  waiting.set(socket, here);
  socket.once('close', () => {
    for (const over of [...here]) over();
  });
  return here;
}
