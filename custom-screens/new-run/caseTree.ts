import type { ChosenCase } from '../add-tests/useChoices';

/** A module or sub module with its test cases. */
export interface Branch {
  readonly key: string;
  readonly name: string;
  /** 0 for a module, 1 for a sub module. */
  readonly depth: number;
  readonly cases: readonly ChosenCase[];
}

/** A line of the tree. */
export type TreeRow = { readonly branch: Branch } | { readonly testCase: ChosenCase; readonly depth: number };

interface OpenBranch extends Branch {
  readonly cases: ChosenCase[];
}

/** Modules, their sub modules and the test cases in them, in the order in which they first appear; those without a module last. */
export function treeRows(cases: readonly ChosenCase[], closedBranches: ReadonlySet<string>): readonly TreeRow[] {
  const modules = new Map<string, OpenBranch & { readonly parts: Map<string, OpenBranch> }>();
  const sortedCases = cases.toSorted((first, second) => Number(first.module === null) - Number(second.module === null));
  for (const testCase of sortedCases) {
    const { module, sub_module: part } = testCase;
    const key = String(module?.id ?? 'none');
    let branch = modules.get(key);
    if (!branch) {
      branch = { key, name: module?.name ?? 'Without a module', depth: 0, cases: [], parts: new Map() };
      modules.set(key, branch);
    }
    branch.cases.push(testCase);
    const partKey = `${key}/${part?.id ?? ''}`;
    let partBranch = branch.parts.get(partKey);
    if (!partBranch) {
      partBranch = { key: partKey, name: part?.name ?? '', depth: 1, cases: [] };
      branch.parts.set(partKey, partBranch);
    }
    partBranch.cases.push(testCase);
  }
  return [...modules.values()].flatMap((module): TreeRow[] => {
    if (closedBranches.has(module.key)) return [{ branch: module }];
    const parts = [...module.parts.values()].flatMap((part): TreeRow[] => {
      // Test cases of the module itself stand directly below it.
      if (part.name === '') return part.cases.map((testCase) => ({ testCase, depth: 1 }));
      const rows = closedBranches.has(part.key) ? [] : part.cases.map((testCase) => ({ testCase, depth: 2 }));
      return [{ branch: part }, ...rows];
    });
    return [{ branch: module }, ...parts];
  });
}
