import condition from '../../../../../schemas/condition.schema.json' with { type: 'json' };
import expression from '../../../../../schemas/expression.schema.json' with { type: 'json' };
import field from '../../../../../schemas/field.schema.json' with { type: 'json' };
import form from '../../../../../schemas/form.schema.json' with { type: 'json' };
import imported from '../../../../../schemas/import.schema.json' with { type: 'json' };
import list from '../../../../../schemas/list.schema.json' with { type: 'json' };
import page from '../../../../../schemas/page.schema.json' with { type: 'json' };
import parameter from '../../../../../schemas/parameter.schema.json' with { type: 'json' };
import automation from '../../../../../schemas/automation.schema.json' with { type: 'json' };
import request from '../../../../../schemas/request.schema.json' with { type: 'json' };
import resource from '../../../../../schemas/resource.schema.json' with { type: 'json' };
import rule from '../../../../../schemas/rule.schema.json' with { type: 'json' };
import type { Schemas } from '../../../../engine/studio/schema-suggestions';

/** The schemas of the definition language, by file: the same ones that the server validates with. */
export const schemas: Schemas = {
  'condition.schema.json': condition,
  'expression.schema.json': expression,
  'field.schema.json': field,
  'form.schema.json': form,
  'import.schema.json': imported,
  'list.schema.json': list,
  'page.schema.json': page,
  'parameter.schema.json': parameter,
  'request.schema.json': request,
  'automation.schema.json': automation,
  'resource.schema.json': resource,
  'rule.schema.json': rule,
};
