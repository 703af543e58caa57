import { isGranted } from '../../engine/access/access-decision';
import type { Hook } from '../program';

/** beforeSave: a snippet is for modules that its author may list; their names are separated by a comma and a space. */
const guardSnippet: Hook = async ({ previousRow, values, actor, program, fail }) => {
  if (typeof values.modules !== 'string' || values.modules === previousRow?.modules) return;
  const names = [...new Set(values.modules.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  const registry = program.definitions.registry();
  const refusedModule = names.find((name) => !registry.get(name) || !isGranted(actor, name, 'list'));
  if (refusedModule !== undefined)
    fail('modules', `You have no list named ${refusedModule.slice(0, 63)}. Separate names of modules by commas.`);
  return { modules: names.length > 0 ? names.join(', ') : null };
};

/** The hook that the definition of snippets names. */
export const snippetHooks = { guardSnippet };
