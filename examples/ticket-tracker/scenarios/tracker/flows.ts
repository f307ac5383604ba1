/** What one session does: each begins with a login, whose token is renewed when it runs out. */
import { add, bearer, check, counter, headerOf, page, type Session } from 'bookstore-load';
import http from 'k6/http';
import type { Tracker } from './suite.ts';

type User = Session<Tracker>;

const alreadyClosed = counter('already_closed');

const login = (session: User): void => {
  const json = { ...session.pick('users'), password: session.variables.PASSWORD };
  bearer(session, () => session.call('login', {}, { json }).json('token'));
};

/** Reads the open issues of a project page by page, and one of them twice: the second time it has not changed. */
export const triage = (session: User): void => {
  const { call, pick, think } = session;
  login(session);
  const { project } = pick('projects');
  const first = call('issues', { project, status: 'open' });
  think('issues->issues');
  const second = call('issues', { project, status: 'open', cursor: first.json('next') });
  think('issues->issue');
  const id = second.json('items.0.id');
  const issue = call('issue', { id });
  check(session, 'is open', issue.json('status') === 'open');
  think('issue->issue');
  call('issue', { id }, { headers: { 'If-None-Match': headerOf(issue, 'ETag') ?? '' } });
};

/** Takes an issue by popularity, comments and changes it, and attaches a file. */
export const report = (session: User): void => {
  const { call, pick, think } = session;
  login(session);
  const { id, title } = pick('issues');
  const issue = call('issue', { id });
  think('issue->comment');
  if (call('comment', { id }, { form: { body: `About "${title}"` } }).status === 409) add(session, alreadyClosed);
  call('close', { id }, { json: { title }, headers: { 'If-Match': headerOf(issue, 'ETag') ?? '' } });
  call('upload', {}, { form: { issue: id, file: http.file('line one\nline two\n', 'log.txt', 'text/plain') } });
};

/** The start page: three requests side by side, as a browser sends them. */
export const dashboard = (session: User): void => {
  const { call, pick } = session;
  login(session);
  page(session, () => {
    call('issues', pick('projects'));
    call('issue', { id: pick('issues').id });
    call('export', { format: 'csv' });
  });
};
