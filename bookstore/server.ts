/** The HTTP server without its routes: input rules, the words of every refusal, what happens on errors. */
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { isIsbn13 } from '../lib/model/isbn.ts';
import { PAGE } from './api/books.ts';
import { GUID } from './api/routes.ts';
import { DatabaseUnavailable } from './database/driver.ts';

/** Largest body that is read; the largest legitimate one has some sixty bytes. */
const BODY_LIMIT = 64 * 1_024;

export function createServer(onError: (error: Error) => void): FastifyInstance {
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    // Idle connections are closed at once when the server stops; requests under way are finished.
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    routerOptions: { maxParamLength: 2_000 },
    ajv: {
      customOptions: {
        // "5" is no number and an unknown key is a mistake: a load test that sends either should hear of it.
        coerceTypes: false,
        removeAdditional: false,
        formats: {
          'ISBN-13': isIsbn13,
          GUID,
          'page number from 1 to 99999': PAGE,
        },
      },
    },
    schemaErrorFormatter: (errors, where) => {
      const first = errors[0];
      const name = `${where}${first?.instancePath.replaceAll('/', '.') ?? ''}`;
      const allowed = first?.params['allowedValues'];
      const detail = Array.isArray(allowed) ? ` (${allowed.join(', ')})` : '';
      return new Error(`${name} ${first?.message ?? 'is not valid'}${detail}`);
    },
    frameworkErrors: (error, _request, reply) => {
      (reply as FastifyReply).code(error.statusCode ?? 400).send({ error: error.message });
    },
  });

  app.setErrorHandler((error: FastifyError, _request, reply) => {
    if (error instanceof DatabaseUnavailable) {
      onError(error);
      return reply
        .code(503)
        .header('retry-after', 1)
        .send({ error: `database unavailable: ${error.message}` });
    }
    const status = error.statusCode ?? 500;
    if (status >= 400 && status < 500) return reply.code(status).send({ error: error.message });
    onError(error);
    // The reason may hold anything; it goes to the operator, not to the client.
    return reply.code(500).send({ error: 'internal error' });
  });

  app.setNotFoundHandler((request, reply) => {
    reply.code(404).send({ error: `no ${request.method} route at this path` });
  });
  return app;
}
