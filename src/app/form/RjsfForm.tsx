import { withTheme } from '@rjsf/core';
import { generateTemplates } from '@rjsf/mui/lib/Templates/index.js';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { FieldTemplate } from './FieldTemplate';
import { ObjectTemplate } from './ObjectTemplate';

/** rjsf's MUI theme with sections and fields as the product lays them out. */
export const RjsfForm = withTheme<ResourceRecord>({
  templates: {
    ...generateTemplates<ResourceRecord>(),
    ObjectFieldTemplate: ObjectTemplate,
    FieldTemplate,
    ErrorListTemplate: () => null,
  },
});
