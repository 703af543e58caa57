import Button from '@mui/material/Button';
import { writtenTypeOf } from '../../../../engine/field-types';
import { addRequest, moveRequest, removeRequest } from '../../../../engine/studio/request-edits';
import { itemAt } from '../../../../engine/values/lookups';
import { Icon } from '../../../icons/Icon';
import { useDraft } from '../../draft';
import { draftErrors, isWithin } from '../../draftPlaces';
import { fieldOptions, isInForms } from '../../properties/fieldOptions';
import { SortedList } from '../../properties/SortedList';
import { RequestInputs } from './RequestInputs';
import { RowActions } from './RowActions';
import * as styles from '../../properties/properties.module.css';

/** The requests on a record, and the actions of its row. */
export function RequestsPanel() {
  const draft = useDraft();
  const { source, edit } = draft;
  const requests = Object.entries(source.requests ?? {});
  const [field] = fieldOptions(
    source,
    (field, name) =>
      name in source.fields && isInForms(field) && field.readOnly !== true && !writtenTypeOf(field).isDerived,
  );
  return (
    <>
      <h3 className={styles.studioPart}>Requests</h3>
      <div className={styles.studioGroup}>
        <SortedList
          label="Requests"
          items={requests}
          emptyText="No requests: records change through their form alone"
          keyOf={(_, index) => String(index)}
          titleOf={([name, { label }]) => String(label ?? name)}
          noteOf={([name, { sets }]) => `${name}${sets !== undefined && !Array.isArray(sets) ? ', fixed values' : ''}`}
          isWrong={([name]) => draftErrors(draft).some(({ path }) => isWithin(path, `/requests/${name}`))}
          onMove={(oldIndex, newIndex) => edit((now) => moveRequest(now, oldIndex, newIndex))}
          onRemove={(index) => edit((now) => removeRequest(now, itemAt(requests, index)[0]))}
        >
          {([name]) => <RequestInputs name={name} />}
        </SortedList>
        <div>
          <Button
            size="small"
            variant="outlined"
            startIcon={<Icon name="plus" />}
            disabled={!field}
            onClick={() => field && edit((now) => addRequest(now, String(field.value)).source)}
          >
            Add a request
          </Button>
        </div>
      </div>
      <hr />
      <h3 className={styles.studioPart}>Row actions</h3>
      <RowActions />
    </>
  );
}
