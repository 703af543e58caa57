import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { fieldFromColumn, restoreField } from '../fields/restoreField';
import { Icon } from '../../icons/Icon';
import { fetchVersions, moduleKeys } from '../api';
import { formatCount } from '../formatCount';
import { writtenTypeOf } from '../../../engine/field-types';
import { requireValue } from '../../../engine/values/lookups';
import type { HiddenColumn as Hidden } from '../../../engine/studio/module';
import { useDraft } from '../draft';
import * as styles from './properties.module.css';

const valueTexts = { stay: 'Its column and values stay in the table, and', gone: 'the column and its values' };
const linkTexts = { stay: 'Its links to other records stay, and', gone: 'the links' };

/** The server's word for links instead of a column's type. */
const linksType = 'relations';

function isLinks({ type }: Hidden): boolean {
  return type === linksType;
}

function describeHidden(hidden: Hidden): string {
  const count = hidden.values;
  const [subject, values] = isLinks(hidden)
    ? ['Links to other records', 'some']
    : [`A column of the table (${hidden.type})`, 'a value in it'];
  return `${subject} that no field uses. ${formatCount(count, 'record')} ${count === 1 ? 'holds' : 'hold'} ${values}.`;
}

/** A column, or links, that no field uses: they can be shown again, or purged. */
export function HiddenColumn({ column }: { column: string }) {
  const { module, base, purge, setPurge, edit, go } = useDraft();
  const { data: versions } = useQuery({
    queryKey: moduleKeys.versions(module.name),
    queryFn: ({ signal }) => fetchVersions(module.name, signal),
    meta: { quiet: true },
  });
  const hiddenColumn = module.hidden.find((candidate) => candidate.column === column);
  const hasLinks = hiddenColumn
    ? isLinks(hiddenColumn)
    : writtenTypeOf(base.source.fields[column] ?? {}).holds === 'records';
  const words = hasLinks ? linkTexts : valueTexts;
  const isPurged = purge.includes(column);
  const show = () => {
    if (isPurged) setPurge(purge.filter((name) => name !== column));
    const isNameUsed = Object.hasOwn(base.source.fields, column);
    edit((source) =>
      isNameUsed
        ? restoreField(source, column, base.source)
        : fieldFromColumn(source, requireValue(hiddenColumn, `the column ${column}`), versions ?? []),
    );
    go(`/fields/${column}`, 'properties');
  };
  return (
    <>
      <h3 className={styles.studioPart}>{column}</h3>
      <p className={styles.studioHint}>
        {hiddenColumn
          ? describeHidden(hiddenColumn)
          : `This draft removes the field. ${words.stay} are restored with the field.`}
      </p>
      {isPurged && (
        <p className={styles.studioHint} data-bad>
          When you publish, {words.gone} are deleted permanently.
        </p>
      )}
      <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 2 }}>
        <Button variant="outlined" startIcon={<Icon name="eye" />} onClick={show}>
          Show again
        </Button>
        {isPurged ? (
          <Button variant="outlined" onClick={() => setPurge(purge.filter((name) => name !== column))}>
            Keep it
          </Button>
        ) : (
          <Button
            variant="outlined"
            color="error"
            startIcon={<Icon name="trash" />}
            onClick={() => setPurge([...purge, column])}
          >
            Purge…
          </Button>
        )}
      </Stack>
    </>
  );
}
