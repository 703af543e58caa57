import { withTheme } from '@rjsf/core';
import { generateTemplates } from '@rjsf/mui/lib/Templates/index.js';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { FieldTemplate } from './FieldTemplate';
import { ObjectTemplate } from './ObjectTemplate';
import { widgets } from './widgets';

/** rjsf with its MUI theme, in the product's layout and with the inputs of the field types. */
export const RjsfForm = withTheme<ResourceRecord>({
  templates: {
    ...generateTemplates<ResourceRecord>(),
    ObjectFieldTemplate: ObjectTemplate,
    FieldTemplate,
    ErrorListTemplate: () => null,
  },
  widgets,
});
