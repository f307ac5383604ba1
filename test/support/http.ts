/** A few lines around undici for tests: status, headers and parsed body of one request. */
import { Agent, request } from 'undici';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever the API sends
  readonly body: any;
}

export interface Client {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  send(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  close(): Promise<void>;
}

export function client(base: string): Client {
  const agent = new Agent({ keepAliveTimeout: 1_000 });
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer> => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await request(base + path, {
      method,
      dispatcher: agent,
      headers: { ...json, ...headers },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await answer.body.text();
    const isJson = String(answer.headers['content-type']).includes('json');
    return { status: answer.statusCode, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined };
  };
  return {
    get: (path, headers = {}) => call('GET', path, undefined, headers),
    send: (method, path, body, headers = {}) => call(method, path, body, headers),
    close: () => agent.destroy(),
  };
}
