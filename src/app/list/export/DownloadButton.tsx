import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { formatNumber } from '../../../engine/formats/numbers';
import { decideAccess } from '../../../engine/access/access-decision';
import type { ListState } from '../../../engine/lists/list-state';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useCommands } from '../../commands/commands';
import { usePopup } from '../../dialogs/usePopup';
import { Icon } from '../../icons/Icon';
import { useResourceList } from '../ResourceList';
import { useRecords } from '../useRecords';
import type { DownloadProgress } from '../../actions/download';
import { useDownload } from './useDownload';
import * as toolbarStyles from '../toolbar.module.css';
import * as styles from './export.module.css';
import { useListColumns } from '../useListColumns';
import type { ExportedColumns } from './exportPath';

interface DownloadProps {
  /** Of the records that are downloaded. */
  total: number | undefined;
  /** A state other than the list's. */
  state?: ListState;
  /** The icon alone, which offers all formats. */
  short?: boolean;
  /** Which records of the list, as users know them; default: all. */
  recordsText?: string;
}

/** The menu's entries; the first is the button's own. */
const downloadOptions = [
  { format: 'xlsx', columns: 'shown', text: 'Download Excel' },
  { format: 'xlsx', columns: 'all', text: 'Download Excel, all columns' },
  { format: 'csv', columns: 'shown', text: 'Download CSV' },
  { format: 'csv', columns: 'all', text: 'Download CSV, all columns' },
  { format: 'xlsx', columns: 'identified', text: 'Download Excel to edit and import' },
] as const;

/** Downloads the list as shown; hidden if it is empty or the user may not list it. */
export function DownloadButton() {
  const { resource, state, fixedValues: fixedFilter } = useResourceList();
  const { total } = useRecords(resource, state, fixedFilter);
  return <Download total={total} />;
}

/** Downloads the `total` records of a list state; before it is known, its place is kept. */
export function Download({ total, recordsText, ...props }: DownloadProps) {
  const list = useResourceList();
  const { definition } = list;
  const { state = list.state, short: isShort = false } = props;
  // Without a button of its own it is behind the dots, and on phones as well.
  const hasButton = !isShort && !list.isPhone && definition.export?.button === true;
  const { actor } = useDefinitions();
  const pathOf = useExportPath(state);
  const { progress, start, stop } = useDownload();
  const menu = usePopup('menu');
  const isPossible = definition.export !== null && total !== 0 && decideAccess(actor, definition, 'list').allowed;
  const isAvailable = isPossible && total !== undefined;
  const options = [
    ...downloadOptions.filter(({ columns }) => columns !== 'identified' || definition.import),
    ...Object.entries(definition.export?.formats ?? {}).map(([format, label]) => ({
      format,
      columns: 'shown' as const,
      text: `Download for ${label}`,
    })),
    ...Object.entries(definition.exports ?? {}).map(([format, { label }]) => ({
      format,
      columns: 'named' as const,
      text: `Download for ${label}`,
    })),
  ];
  useCommands(
    () =>
      options.map(({ format, columns, text }) => ({
        ...{ id: text, label: text, icon: 'download', recordsText },
        run: () => start(pathOf(format, columns)),
      })),
    isAvailable,
  );
  if (!isPossible) return null;
  const words = progress ? progressText(progress) : 'Download Excel';
  const label = isShort ? 'Download' : 'More';
  const hasWords = hasButton || progress !== null;
  return (
    <span className={styles.download} role="group" aria-label="Download" data-waiting={!isAvailable || undefined}>
      <Button
        variant="outlined"
        className={hasWords ? styles.downloadMain : toolbarStyles.listSquare}
        startIcon={hasWords ? <Icon name="download" /> : undefined}
        sx={hasWords ? undefined : { minWidth: 36, paddingInline: 0 }}
        title={progress ? undefined : hasButton ? 'Download Excel' : label}
        aria-busy={progress !== null}
        aria-label={hasButton ? undefined : progress ? words : label}
        {...(hasButton ? { onClick: () => start(pathOf('xlsx')) } : menu.button)}
      >
        {hasWords ? (
          <span className={progress ? undefined : toolbarStyles.listLabel} aria-live="polite">
            {words}
          </span>
        ) : (
          <Icon name={isShort ? 'download' : 'more'} />
        )}
      </Button>
      {progress ? (
        <Button variant="outlined" className={styles.downloadMore} aria-label="Stop the download" onClick={stop}>
          <Icon name="close" />
        </Button>
      ) : hasButton ? (
        <Button variant="outlined" className={styles.downloadMore} aria-label="Other formats" {...menu.button}>
          <Icon name="more" />
        </Button>
      ) : null}
      <Menu
        {...menu.popup}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: -2, horizontal: 'right' }}
      >
        {options.slice(hasButton ? 1 : 0).map(({ format, columns, text }) => (
          <MenuItem key={text} onClick={menu.and(() => start(pathOf(format, columns)))}>
            <Icon name="download" />
            {text}
          </MenuItem>
        ))}
      </Menu>
    </span>
  );
}

/** `1,250 of 12,000`; before the first row `Downloading…`. */
function progressText({ written: writtenRows, total }: DownloadProgress): string {
  return writtenRows === 0 ? 'Downloading…' : `${formatNumber(writtenRows)} of ${formatNumber(total)}`;
}

/** Makes the path of a download of the surrounding list in a state once it is wanted (`exportPath`), whose code is loaded then. */
function useExportPath(state: ListState) {
  const { actor } = useDefinitions();
  const { definition, fixedValues: fixedFilter } = useResourceList();
  const { choices } = useListColumns(definition, state);
  return (format: string, columnSet: ExportedColumns = 'shown') =>
    async () => {
      const { exportPath } = await import('./exportPath');
      return exportPath({ definition, actor, state, fixedValues: fixedFilter, choices }, format, columnSet);
    };
}
