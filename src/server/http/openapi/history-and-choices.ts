import type { Components, Reference } from './components';
import { rangeParameter } from './list-parameters';
import { choicesSchema, historySchema, similarSchema } from './record-schemas';

/** The response of every history. */
export function historyResponse(components: Components): Reference {
  const schema = components.add('schemas', 'History', historySchema);
  return components.add('responses', 'History', {
    description: 'The changes.',
    content: { 'application/json': { schema } },
  });
}

/** The response of every printed page. */
export function printResponse(components: Components): Reference {
  return components.add('responses', 'PrintedPage', {
    description: 'The page as HTML without scripts, for A4 or Letter.',
    content: { 'text/html': { schema: { type: 'string' } } },
  });
}

/** The response of every list of choices. */
export function choicesResponse(components: Components): Reference {
  const schema = components.add('schemas', 'Choices', choicesSchema);
  return components.add('responses', 'Choices', {
    description: 'Ids and titles.',
    content: { 'application/json': { schema } },
  });
}

/** The query parameters of every list of choices, beside its field. */
export function choiceParameters(components: Components): Reference[] {
  return [
    components.add('parameters', 'choices.q', {
      name: 'q',
      in: 'query',
      description:
        'Titles that begin with it come first, then those with a word that does; a number also finds the id.',
      schema: { type: 'string', maxLength: 500 },
    }),
    components.add('parameters', 'range', rangeParameter),
    components.add('parameters', 'choices.near', {
      name: 'near',
      in: 'query',
      description: 'Recently chosen ids, newest first, which are listed first; 0 for the order of the resource alone.',
      schema: { type: 'string', examples: ['7,3', '0'] },
    }),
    components.add('parameters', 'choices.default', {
      name: 'default',
      in: 'query',
      description:
        'Only the record that a new record gets by default, where the default of the field is looked up ($lookup); none if several match.',
      schema: { type: 'string', enum: ['1'] },
    }),
    components.add('parameters', 'choices.referred_by', {
      name: 'referred_by',
      in: 'query',
      description:
        'For filters: a relation, as in deals.owner_id. Deleted records that are kept for their names are listed too, where records that you have in lists refer to them by it.',
      schema: { type: 'string' },
    }),
  ];
}

/** The response of every search for similar records. */
export function similarResponse(components: Components): Reference {
  const schema = components.add('schemas', 'Similar', similarSchema);
  return components.add('responses', 'Similar', {
    description: 'At most five records, the most similar first.',
    content: { 'application/json': { schema } },
  });
}

/** The response to the question in how many records a record is used. */
export function usesResponse(components: Components): Reference {
  const data = {
    type: 'object',
    required: ['count', 'others'],
    properties: {
      count: { type: 'integer', minimum: 0, description: 'The records that you may list.' },
      others: { type: 'boolean', description: 'There are records that you do not have in lists.' },
    },
  };
  const schema = components.add('schemas', 'Uses', { type: 'object', required: ['data'], properties: { data } });
  return components.add('responses', 'Uses', {
    description: 'In how many records it is used.',
    content: { 'application/json': { schema } },
  });
}

/** The query parameters of a search for similar records, beside the relations that narrow it. */
export function similarParameters(components: Components): Reference[] {
  return [
    components.add('parameters', 'similar.text', {
      name: 'text',
      in: 'query',
      required: true,
      description: 'The text so far. Nothing is similar to less than four characters.',
      schema: { type: 'string', maxLength: 500 },
    }),
    components.add('parameters', 'similar.record', {
      name: 'record',
      in: 'query',
      description: 'The record that is edited, which is left out.',
      schema: { type: 'integer' },
    }),
  ];
}

/** Which version is brought back. */
export const versionParameter = {
  name: 'version',
  in: 'path',
  required: true,
  description: 'The id of a change in the history: the fields get the values that they had after it.',
  schema: { type: 'integer' },
};

/** What is sent to bring back a version. */
export const restoreSchema = {
  type: 'object',
  properties: {
    updated_at: { type: 'string', format: 'date-time', description: 'The version that you last saw.' },
  },
};

/** The response to the question what is assigned to records. */
export function assignmentsResponse(components: Components): Reference {
  const resource = { type: 'string', description: 'Of the records that are assigned.' };
  const count = { type: 'integer', minimum: 1, description: 'The records that you have in lists.' };
  const counted = { type: 'object', required: ['resource', 'count'], properties: { resource, count } };
  const data = {
    type: 'object',
    required: ['resources', 'others'],
    properties: {
      resources: { type: 'array', items: counted },
      others: { type: 'boolean', description: 'There are records that you do not have in lists.' },
    },
  };
  const schema = components.add('schemas', 'Assignments', { type: 'object', required: ['data'], properties: { data } });
  return components.add('responses', 'Assignments', {
    description: 'How many records are assigned to them.',
    content: { 'application/json': { schema } },
  });
}

/** Whose assignments are counted. */
export const assignedIdsParameter = {
  name: 'id',
  in: 'query',
  required: true,
  description: 'Ids, separated by commas.',
  schema: { type: 'string', examples: ['7', '7,9'] },
};

/** Takes over what is assigned to the records that are deleted. */
export function successorParameter(components: Components): Reference {
  return components.add('parameters', 'successor', {
    name: 'successor',
    in: 'query',
    description:
      'The id of another record, which takes over what is assigned to the deleted ones. The response has data and handover then: how many records were changed, and which were not, with the reason.',
    schema: { type: 'integer' },
  });
}
