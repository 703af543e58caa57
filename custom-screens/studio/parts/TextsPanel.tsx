import { ConditionAt } from '../conditions/ConditionAt';
import { useDraft } from '../draft';
import { ListAt } from '../properties/ListAt';
import { SwitchAt } from '../properties/SwitchAt';
import { TextAt } from '../properties/TextAt';
import { normalise } from '../../../src/engine/definitions/normalise';

/** The module's texts: titles, success messages, and the questions before deleting. */
export function TextsPanel() {
  const { valid } = useDraft();
  const { titles, toasts, delete: deleting } = normalise(valid.source);
  return (
    <>
      <h3 className="studio-part">Titles</h3>
      <TextAt at="/titles/list" label="List" usual={titles.list} />
      <div className="studio-pair">
        <TextAt at="/titles/create" label="New record" usual={titles.create} brief />
        <TextAt at="/titles/edit" label="Editing a record" usual={titles.edit} brief />
        <TextAt at="/titles/copy" label="Copying a record" usual={titles.copy} brief />
        <TextAt at="/titles/view" label="Viewing a record" usual={titles.view} brief />
        <TextAt at="/titles/add" label="Add button" usual={titles.add} brief />
      </div>
      <hr />
      <h3 className="studio-part">Messages</h3>
      <div className="studio-pair">
        <TextAt at="/toasts/created" label="After adding" usual={toasts.created} brief />
        <TextAt at="/toasts/updated" label="After changing" usual={toasts.updated} brief />
        <TextAt at="/toasts/deleted" label="After deleting" usual={toasts.deleted} brief />
        <TextAt at="/toasts/restored" label="After restoring" usual={toasts.restored} brief />
        <TextAt at="/toasts/copied" label="After copying" usual={toasts.copied} brief />
      </div>
      <hr />
      <h3 className="studio-part">Deleting</h3>
      <TextAt at="/delete/confirm" label="Question" usual={deleting.confirm} brief />
      <ListAt
        at="/delete/when"
        label="Other questions"
        add="Add a question for some records"
        blank={() => ({ if: {}, confirm: deleting.confirm })}
        titleOf={({ confirm }) => String(confirm ?? '')}
      >
        {(place) => (
          <>
            <TextAt at={`${place}/confirm`} label="Question" brief />
            <ConditionAt at={`${place}/if`} label="For records where" kept />
          </>
        )}
      </ListAt>
      <SwitchAt at="/delete/keep" label="Keep deleted records so that other records still show their names" />
    </>
  );
}
