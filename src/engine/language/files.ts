import { automation } from './automation';
import { condition } from './condition';
import { demo } from './demo';
import { expression } from './expression';
import { extension } from './extension';
import { describeField } from './field';
import { builtInTypeKeys } from './field-types';
import { form } from './form';
import { importSettings } from './import';
import type { KeySchema } from './key';
import { listView } from './list';
import { page } from './page';
import { parameter } from './parameter';
import { product } from './product';
import { request } from './request';
import { resource } from './resource';
import { rule } from './rule';
import { start } from './start';

/** The parts of the language by the names of their files in `schemas/`, by which they refer to each other. */
export const languageFiles: Readonly<Record<string, KeySchema>> = {
  'automation.schema.json': automation,
  'condition.schema.json': condition,
  'demo.schema.json': demo,
  'expression.schema.json': expression,
  'extension.schema.json': extension,
  'field.schema.json': describeField(builtInTypeKeys),
  'form.schema.json': form,
  'import.schema.json': importSettings,
  'list.schema.json': listView,
  'page.schema.json': page,
  'parameter.schema.json': parameter,
  'product.schema.json': product,
  'request.schema.json': request,
  'resource.schema.json': resource,
  'rule.schema.json': rule,
  'start.schema.json': start,
};
