import { ConditionProperty } from '../conditions/ConditionProperty';
import { useDraft } from '../draft';
import { ListProperty } from '../properties/ListProperty';
import { SwitchProperty } from '../properties/SwitchProperty';
import { TextProperty } from '../properties/TextProperty';
import { normalise } from '../../../../engine/definitions/normalise';
import * as styles from '../properties/properties.module.css';

/** The module's texts: titles, success messages, and the questions before deleting. */
export function TextsPanel() {
  const { valid } = useDraft();
  const { titles, toasts, delete: deleting } = normalise(valid.source);
  return (
    <>
      <h3 className={styles.studioPart}>Titles</h3>
      <TextProperty at="/titles/list" label="List" usual={titles.list} />
      <div className={styles.studioPair}>
        <TextProperty at="/titles/create" label="New record" usual={titles.create} brief />
        <TextProperty at="/titles/edit" label="Editing a record" usual={titles.edit} brief />
        <TextProperty at="/titles/copy" label="Copying a record" usual={titles.copy} brief />
        <TextProperty at="/titles/view" label="Viewing a record" usual={titles.view} brief />
        <TextProperty at="/titles/add" label="Add button" usual={titles.add} brief />
      </div>
      <hr />
      <h3 className={styles.studioPart}>Messages</h3>
      <div className={styles.studioPair}>
        <TextProperty at="/toasts/created" label="After adding" usual={toasts.created} brief />
        <TextProperty at="/toasts/updated" label="After changing" usual={toasts.updated} brief />
        <TextProperty at="/toasts/deleted" label="After deleting" usual={toasts.deleted} brief />
        <TextProperty at="/toasts/restored" label="After restoring" usual={toasts.restored} brief />
        <TextProperty at="/toasts/copied" label="After copying" usual={toasts.copied} brief />
      </div>
      <hr />
      <h3 className={styles.studioPart}>Deleting</h3>
      <TextProperty at="/delete/confirm" label="Question" usual={deleting.confirm} brief />
      <ListProperty
        at="/delete/when"
        label="Other questions"
        add="Add a question for some records"
        blank={() => ({ if: {}, confirm: deleting.confirm })}
        titleOf={({ confirm }) => String(confirm ?? '')}
      >
        {(place) => (
          <>
            <TextProperty at={`${place}/confirm`} label="Question" brief />
            <ConditionProperty at={`${place}/if`} label="For records where" keepEmpty />
          </>
        )}
      </ListProperty>
      <SwitchProperty at="/delete/keep" label="Keep deleted records so that other records still show their names" />
    </>
  );
}
