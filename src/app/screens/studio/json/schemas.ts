import condition from '../../../../../schemas/condition.schema.json';
import field from '../../../../../schemas/field.schema.json';
import form from '../../../../../schemas/form.schema.json';
import imported from '../../../../../schemas/import.schema.json';
import list from '../../../../../schemas/list.schema.json';
import parameter from '../../../../../schemas/parameter.schema.json';
import request from '../../../../../schemas/request.schema.json';
import resource from '../../../../../schemas/resource.schema.json';
import rule from '../../../../../schemas/rule.schema.json';
import type { Schemas } from '../../../../engine/studio/schema-suggestions';

/** The schemas of the definition language, by file: the same ones that the server validates with. */
export const schemas: Schemas = {
  'condition.schema.json': condition,
  'field.schema.json': field,
  'form.schema.json': form,
  'import.schema.json': imported,
  'list.schema.json': list,
  'parameter.schema.json': parameter,
  'request.schema.json': request,
  'resource.schema.json': resource,
  'rule.schema.json': rule,
};
