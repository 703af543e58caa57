import { ConditionProperty } from '../conditions/ConditionProperty';
import { useDraft } from '../draft';
import { ListProperty } from '../properties/ListProperty';
import { MultiChoiceProperty } from '../properties/ChoiceProperty';
import { PlaceErrors } from '../properties/PlaceErrors';
import { TextProperty } from '../properties/TextProperty';
import { fieldOptions } from '../properties/fieldOptions';
import { GrantsProperty } from './Grants';
import { ActionsProperty, actionsText, AudienceProperty, audienceText, useRoleNames } from './audience';
import * as styles from '../properties/properties.module.css';

/** Access: the default grants of a new module, and the rules that restrict grants. */
export function RulesPanel() {
  const { source } = useDraft();
  const fields = fieldOptions(source);
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
        at="/rules"
        label="Rules"
        add="Add a rule"
        none="No rules: grants apply to every record"
        blank={() => ({ levels: [6], action: 'edit', where: { created_by: '$actor.id' } })}
        titleOf={({ reason, action }) => String(reason ?? actionsText(action))}
        noteOf={(rule) => audienceText(rule, roles)}
      >
        {(place) => (
          <>
            <PlaceErrors place={place} />
            <AudienceProperty at={place} usual="None" />
            <ActionsProperty at={`${place}/action`} />
            <ConditionProperty at={`${place}/where`} label="Only records where" />
            <MultiChoiceProperty
              at={`${place}/fields`}
              label="Only these fields"
              ways={fields}
              usual="All fields"
              brief
            />
            <MultiChoiceProperty at={`${place}/except`} label="All fields except" ways={fields} usual="None" brief />
            <TextProperty at={`${place}/reason`} label="Description" />
          </>
        )}
      </ListProperty>
    </>
  );
}
