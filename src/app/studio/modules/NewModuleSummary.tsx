import { exportFileNameOf, tableOf } from '../../../engine/definitions/labels';
import { Icon } from '../../icons/Icon';
import { moduleKey, labelledFields, buildDefinition, type NewModuleForm } from './newModuleForm';
import * as styles from './new-module.module.css';

/** A summary of what the module will have once it is created. */
export function NewModuleSummary({ form }: { form: NewModuleForm }) {
  const key = moduleKey(form.plural) || '…';
  const plural = form.plural.trim() || '…';
  const columns = labelledFields(form.fields).length > 0 ? Object.keys(buildDefinition(form).fields) : [];
  const parts = [
    { icon: 'database', label: 'Table', text: tableOf(key), more: columns.join(', ') },
    { icon: 'list', label: 'List and form', text: `/${key}`, more: 'with search, filters, cards and live updates' },
    { icon: 'menu', label: 'Menu', text: `${form.group.trim() || 'Workspace'} › ${plural}`, plain: true },
    {
      icon: 'shield',
      label: 'Permissions',
      text: 'Administrator, Company Owner and Manager everything, other roles nothing',
      plain: true,
    },
    { icon: 'api', label: 'API', text: `/api/${key}`, more: 'with its page in the documentation' },
    { icon: 'download', label: 'Export', text: exportFileNameOf(key) },
    { icon: 'upload', label: 'Import', text: 'From spreadsheets, with a sample', plain: true },
    { icon: 'history', label: 'History', text: 'Who changed what, and when', plain: true },
  ];
  return (
    <aside className={styles.wishOutcome} aria-label="What it will have">
      <h2>What it will have</h2>
      <dl>
        {parts.map(({ icon, label, text, more: note, plain: isPlain }) => (
          <div key={label}>
            <dt>
              <Icon name={icon} />
              {label}
            </dt>
            <dd>
              {isPlain ? text : <code>{text}</code>}
              {note && <small>{note}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}
