import { ListProperty } from '../properties/ListProperty';
import { PartForm } from '../properties/PartForm';
import { PlaceErrors } from '../properties/PlaceErrors';
import { GrantsProperty } from './Grants';
import { actionsText, audienceText, useRoleNames } from './audience';
import * as styles from '../properties/properties.module.css';

/** Access: the default grants of a new module, and the rules that restrict grants. */
export function RulesPanel() {
  const roles = useRoleNames();
  return (
    <>
      <h3 className={styles.studioPart}>Grants</h3>
      <p className={styles.studioHint}>
        The permissions that roles get when the module is new. Change them later under Permissions.
      </p>
      <GrantsProperty />
      <hr />
      <h3 className={styles.studioPart}>Rules</h3>
      <ListProperty
        pointer="/rules"
        label="Rules"
        add="Add a rule"
        emptyText="No rules: grants apply to every record"
        createEntry={() => ({ levels: [6], action: 'edit', where: { created_by: '$actor.id' } })}
        titleOf={({ reason, action }) => String(reason ?? actionsText(action))}
        noteOf={(rule) => audienceText(rule, roles)}
      >
        {(entryPointer) => (
          <>
            <PlaceErrors pointer={entryPointer} />
            <PartForm pointer={entryPointer} />
          </>
        )}
      </ListProperty>
    </>
  );
}
