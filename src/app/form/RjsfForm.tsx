import { withTheme } from '@rjsf/core';
import BaseInputTemplate from '@rjsf/mui/lib/BaseInputTemplate/index.js';
import DescriptionFieldTemplate from '@rjsf/mui/lib/DescriptionField/index.js';
import * as ButtonTemplates from '@rjsf/mui/lib/IconButton/index.js';
import TitleFieldTemplate from '@rjsf/mui/lib/TitleField/index.js';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { FieldTemplate } from './FieldTemplate';
import { ObjectTemplate } from './ObjectTemplate';

/**
 * rjsf with sections and fields as the product lays them out, and with what widgets draw by templates in MUI. Every field
 * has a widget, so that the templates of nested objects, lists and choices are never drawn.
 */
export const RjsfForm = withTheme<ResourceRecord>({
  templates: {
    BaseInputTemplate,
    ButtonTemplates,
    DescriptionFieldTemplate,
    TitleFieldTemplate,
    ObjectFieldTemplate: ObjectTemplate,
    FieldTemplate,
    ErrorListTemplate: () => null,
  },
});
