import { describe, expect, it } from 'vitest';
import { editDistance as distance } from '../../../lib/model/nearest.ts';
import { checkNames } from '../../../lib/plan/misspelt.ts';
import { VARIABLES } from '../../../lib/plan/variables.ts';

describe('a misspelt variable', () => {
  it.each([
    ['RAET', 'RATE'],
    ['rate', 'RATE'],
    ['Vus', 'VUS'],
    ['base_url', 'BASE_URL'],
    ['RATES', 'RATE'],
    ['SEDE', 'SEED'],
    ['THNIK', 'THINK'],
    ['DURATON', 'DURATION'],
    ['DURACION', 'DURATION'],
    ['BASEURL', 'BASE_URL'],
    ['MAXVUS', 'MAX_VUS'],
    ['MAX_VU', 'MAX_VUS'],
    ['POPULARTIY', 'POPULARITY'],
    ['THRESHOLD', 'THRESHOLDS'],
    ['PROFIL', 'PROFILE'],
    ['PREALOCATED_VUS', 'PREALLOCATED_VUS'],
    ['SESSIONID', 'SESSION_ID'],
    ['VU', 'VUS'],
    ['THINKTIME', 'THINK'],
    ['THINK_TIME', 'THINK'],
    ['DURATION_SECONDS', 'DURATION'],
    ['RATE_PER_SECOND', 'RATE'],
    ['ARRIVAL_RATE', 'RATE'],
    ['TEST_DURATION', 'DURATION'],
    ['NUM_VUS', 'VUS'],
    ['POPULARITY_LAW', 'POPULARITY'],
  ])('%s is taken for %s', (name, meant) => {
    expect(() => checkNames({ [name]: '5' })).toThrow(`the suite has no variable ${name}: did you mean ${meant}?`);
  });

  it('every name with two neighbours swapped is found, unless they are the same letter', () => {
    for (const { name } of VARIABLES) {
      const i = [...name].findIndex(
        (letter, at) => at > 0 && letter !== name[at - 1] && !`${letter}${name[at - 1]}`.includes('_'),
      );
      const slip = `${name.slice(0, i - 1)}${name[i]}${name[i - 1]}${name.slice(i + 1)}`;
      expect(() => checkNames({ [slip]: '1' }), slip).toThrow('did you mean');
    }
  });

  it('no alarm on the suite’s own names and what environments hold', () => {
    const usual =
      'PATH HOME SHELL USER LANG TERM PWD OLDPWD SHLVL LOGNAME MAIL HOSTNAME EDITOR VISUAL PAGER DISPLAY TZ TMPDIR DATE STACK SPOOL CRATE THING TRACKS CI DEBUG PORT HOST URL RACE POLL FEED NEED LC_ALL LS_COLORS SSH_TTY XDG_SESSION_ID XDG_CACHE_HOME NODE_ENV NODE_PATH NVM_DIR GOPATH JAVA_HOME PYTHONPATH K6_VUS K6_DURATION K6_MAX_VUS HTTP_PROXY NO_PROXY RUNNER_TEMP GITHUB_SHA GITLAB_CI DOCKER_HOST INIT_CWD COLORTERM MANPATH SESSION_SETTINGS _ npm_config_cache Rating CACHE_MODE TIMEOUT_MS MAX_WORKERS TRACEPARENT FRAMERATE SEED_VALUE USER_PROFILE RATE_LIMIT_URL UV_CACHE_DIR';
    const names = [...usual.split(' '), ...VARIABLES.map(({ name }) => name)];
    expect(() => checkNames(Object.fromEntries(names.map((name) => [name, '1'])))).not.toThrow();
  });
});

describe('a variable of the suite’s own', () => {
  it('is known, and found behind a slip as the library’s are', () => {
    expect(() => checkNames({ TENANT_NAME: 'acme' }, ['TENANT_NAME'])).not.toThrow();
    expect(() => checkNames({ TENANT_NMAE: 'acme' }, ['TENANT_NAME'])).toThrow('did you mean TENANT_NAME?');
    expect(() => checkNames({ TENANT_NMAE: 'acme' })).not.toThrow();
  });
});

describe('distance', () => {
  it.each([
    ['', 'AB', 2],
    ['RATE', 'RATE', 0],
    ['RATE', 'RAET', 1],
    // Damerau's unrestricted distance is 2; the aligned one does not edit a swapped pair again.
    ['CA', 'ABC', 3],
    ['KITTEN', 'SITTING', 3],
  ])('of %s and %s is %d', (a, b, edits) => {
    expect(distance(a, b)).toBe(edits);
    expect(distance(b, a)).toBe(edits);
  });
});
