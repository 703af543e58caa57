import { ConditionProperty } from '../conditions/ConditionProperty';
import { useDraft } from '../draft';
import { ListProperty } from '../properties/ListProperty';
import { MultiChoiceProperty } from '../properties/ChoiceProperty';
import { TextProperty } from '../properties/TextProperty';
import { fieldOptions } from '../properties/fieldOptions';
import { GrantsProperty } from './Grants';
import { actionsText, levelOptions, rolesText, LevelsProperty, ActionsProperty } from './levels';
import * as styles from '../properties/properties.module.css';

/** Access: the default grants of a new module, and the rules that restrict grants. */
export function RulesPanel() {
  const { source } = useDraft();
  const fields = fieldOptions(source);
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
        noteOf={({ levels }) => rolesText(levels)}
      >
        {(place) => (
          <>
            <LevelsProperty at={`${place}/levels`} ways={levelOptions} />
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
