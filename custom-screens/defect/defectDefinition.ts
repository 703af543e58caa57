import type { Definition, Field } from '../../src/engine/definitions/definition';

/** The fields that say what failed, and those that are chosen for its task, in the order of the dialog. */
const writtenFields = ['name', 'description'];
const chosenFields = [
  'project_module_id',
  'project_sub_module_id',
  'milestone',
  'priority_id',
  'assigned_to',
  'status_id',
  'end_date',
  'attachments',
];

/**
 * The definition of tasks with the form of a defect: the text at the left, at the right what is chosen, and folded what else
 * the form of a task has. `assigneeHint` says why somebody is proposed.
 */
export function defectDefinition(tasks: Definition, assigneeHint: string | undefined, isWide: boolean): Definition {
  const formFields = tasks.form.sections.flatMap(({ fields }) => fields);
  const namesInForm = (names: readonly string[]) => names.filter((name) => formFields.includes(name));
  const otherFields = formFields.filter((name) => ![...writtenFields, ...chosenFields].includes(name));
  const changes: Readonly<Record<string, object>> = {
    // The dialog names the similar task itself, and offers to link it.
    name: { similar: false },
    assigned_to: { width: 'full', ...(assigneeHint !== undefined && { help: assigneeHint }) },
    // Half the rail cuts the title of a status, and what the day has to come after.
    end_date: { width: 'full' },
    status_id: { width: 'full' },
    attachments: { width: 'full', label: 'Evidence' },
  };
  const fields = Object.entries(tasks.fields).map(([name, field]) => [name, { ...field, ...changes[name] } as Field]);
  return {
    ...tasks,
    fields: Object.fromEntries(fields) as Definition['fields'],
    form: {
      ...tasks.form,
      sections: [
        { label: 'Defect', fields: namesInForm(writtenFields) },
        // In a narrow window the rail would be folded, and the evidence not uploaded.
        { label: 'Properties', fields: namesInForm(chosenFields), rail: isWide },
        { label: 'More', fields: otherFields, rail: true, folded: true },
      ],
    },
  };
}
