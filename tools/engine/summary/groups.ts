/** Groups and checks as handleSummary's `root_group` holds them. */
import { createHash } from 'node:crypto';

export interface CheckResult {
  readonly name: string;
  readonly path: string;
  readonly id: string;
  passes: number;
  fails: number;
}

export interface GroupResult {
  readonly name: string;
  readonly path: string;
  readonly id: string;
  readonly groups: GroupResult[];
  readonly checks: CheckResult[];
}

const idOf = (path: string) => createHash('md5').update(path).digest('hex');

export class CheckTree {
  readonly root: GroupResult = { name: '', path: '', id: idOf(''), groups: [], checks: [] };
  private readonly groups = new Map<string, GroupResult>([['', this.root]]);
  private readonly checks = new Map<string, CheckResult>();

  /** @param group path such as `::cart::pay`, empty for the root */
  add(group: string, name: string, passed: boolean): void {
    const path = `${group}::${name}`;
    let check = this.checks.get(path);
    if (check === undefined) {
      check = { name, path, id: idOf(path), passes: 0, fails: 0 };
      this.checks.set(path, check);
      this.group(group).checks.push(check);
    }
    if (passed) check.passes++;
    else check.fails++;
  }

  group(path: string): GroupResult {
    const known = this.groups.get(path);
    if (known !== undefined) return known;
    const cut = path.lastIndexOf('::');
    const group: GroupResult = { name: path.slice(cut + 2), path, id: idOf(path), groups: [], checks: [] };
    this.groups.set(path, group);
    this.group(path.slice(0, cut)).groups.push(group);
    return group;
  }
}
