import { withTheme } from '@rjsf/core';
import { generateTemplates } from '@rjsf/mui/lib/Templates/index.js';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { FieldTemplate } from './FieldTemplate';
import { ObjectTemplate } from './ObjectTemplate';
import { widgets } from './widgets';

/** rjsf's MUI theme with the product's layout and field inputs. */
export const RjsfForm = withTheme<ResourceRecord>({
  templates: {
    ...generateTemplates<ResourceRecord>(),
    ObjectFieldTemplate: ObjectTemplate,
    FieldTemplate,
    ErrorListTemplate: () => null,
  },
  widgets,
});
