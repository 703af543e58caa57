import { normalise } from '../../../engine/normalise/normalise';

/** The question as a definition, so that its inputs are rendered like those of records. */
export const whyFields = normalise({
  name: 'why',
  labels: { one: 'Question', many: 'Questions' },
  scope: 'self',
  recordTitle: '{module}',
  fields: {
    user: { type: 'relation', to: 'users', label: 'User', placeholder: 'Choose a user or service account' },
    module: { type: 'text', label: 'Module', placeholder: 'Choose' },
    action: { type: 'text', label: 'Action', placeholder: 'Choose' },
    record: { type: 'text', label: 'Record', placeholder: 'Any record' },
    field: { type: 'text', label: 'Field', placeholder: 'Any field' },
  },
}).fields;
