import { accountHooks } from './accounts/hooks';
import { automationHooks } from './automation/webhooks/hooks';
import { snippetHooks } from './comments/snippet-hooks';
import { pageHooks } from './grids/page-hooks';
import { viewHooks } from './grids/view-hooks';
import { importHooks } from './imports/imports';

/** The hooks that the system's definitions name, and those of every product may. */
export const systemHooks = {
  ...accountHooks,
  ...importHooks,
  ...automationHooks,
  ...viewHooks,
  ...pageHooks,
  ...snippetHooks,
};
