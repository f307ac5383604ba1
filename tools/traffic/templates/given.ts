/** Templates that need no learning: the own endpoint table, an OpenAPI description, or a pinned list. */
import { readFile } from 'node:fs/promises';
import type { SuiteFacts } from '../../../lib/plan/suite-facts.ts';
import { UserError } from '../../base/user-error.ts';
import { nameOfText } from './name-text.ts';
import { parseTemplate, type Template } from './route-table.ts';

/** The endpoint table of a suite. */
export function ownTemplates({ endpoints }: Pick<SuiteFacts, 'endpoints'>): Template[] {
  return endpoints.map((endpoint) => parseTemplate(endpoint.name)).filter((template) => template !== undefined);
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * Paths of an OpenAPI 3 or Swagger 2 description, JSON or YAML, with the base path of its first server.
 * @throws UserError when the file cannot be read or describes no paths
 */
export async function openApiTemplates(file: string): Promise<Template[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UserError(`--openapi ${file} cannot be read (${error.message}); check the path`);
  });
  const { parse } = await import('yaml');
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    throw new UserError(`--openapi ${file} is neither JSON nor YAML (${(error as Error).message.split('\n')[0]})`);
  }
  const api = document as { paths?: Record<string, unknown>; servers?: { url?: string }[]; basePath?: string } | null;
  const paths = api?.paths;
  if (typeof paths !== 'object' || paths === null) {
    throw new UserError(`--openapi ${file} has no "paths"; give an OpenAPI 3 or Swagger 2 description`);
  }
  const base = basePath(api?.servers?.[0]?.url ?? api?.basePath ?? '');
  const templates: Template[] = [];
  for (const [path, operations] of Object.entries(paths)) {
    for (const method of Object.keys((operations ?? {}) as object)) {
      if (!METHODS.includes(method.toLowerCase())) continue;
      const template = parseTemplate(nameOfText(`${method.toUpperCase()} ${base}${path}`));
      // A description has no place for query keys that make an endpoint.
      if (template !== undefined) templates.push({ ...template, splits: true });
    }
  }
  if (templates.length === 0) throw new UserError(`--openapi ${file} describes no operation; give one that has paths`);
  return templates;
}

function basePath(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/\/+$/, '');
}

/**
 * A pinned list: one `METHOD /path/{x}?key=` a line; empty lines and lines that begin with `#` are skipped.
 * @throws UserError naming file and line of what is no template
 */
export async function pinnedTemplates(file: string): Promise<Template[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UserError(`--templates ${file} cannot be read (${error.message}); check the path`);
  });
  const templates: Template[] = [];
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const template = parseTemplate(nameOfText(line));
    if (template === undefined) {
      throw new UserError(
        `${file}:${i + 1}: "${line}" is no template; write METHOD /path/{placeholder}, for example GET /api/books/{isbn}`,
      );
    }
    templates.push(template);
  }
  if (templates.length === 0) {
    throw new UserError(`--templates ${file} holds no template; write METHOD /path/{placeholder} a line`);
  }
  return templates;
}
