import { exportFileNameOf, tableOf } from '../../../../engine/definitions/labels';
import { Icon } from '../../../icons/Icon';
import { moduleKey, labelledFields, buildDefinition, type NewModuleForm } from './newModuleForm';
import * as styles from './new-module.module.css';

/** A summary of what the module will have once it is created. */
export function NewModuleSummary({ wish }: { wish: NewModuleForm }) {
  const key = moduleKey(wish.many) || '…';
  const many = wish.many.trim() || '…';
  const columns = labelledFields(wish.fields).length > 0 ? Object.keys(buildDefinition(wish).fields) : [];
  const parts = [
    { icon: 'database', label: 'Table', text: tableOf(key), more: columns.join(', ') },
    { icon: 'list', label: 'List and form', text: `/${key}`, more: 'with search, filters, cards and live updates' },
    { icon: 'menu', label: 'Menu', text: `${wish.group.trim() || 'Workspace'} › ${many}`, plain: true },
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
        {parts.map(({ icon, label, text, more, plain }) => (
          <div key={label}>
            <dt>
              <Icon name={icon} />
              {label}
            </dt>
            <dd>
              {plain ? text : <code>{text}</code>}
              {more && <small>{more}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}
