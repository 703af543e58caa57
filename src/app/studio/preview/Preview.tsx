import { memo, useDeferredValue, useMemo, useState, useCallback, type RefCallback, useEffect } from 'react';
import { normalise } from '../../../engine/normalise/normalise';
import { FailedState } from '../../states/FailedState';
import { SkeletonRows } from '../../states/SkeletonRows';
import { phone } from '../../theme/overrides';
import { useDraftPart } from '../draft';
import { PreviewScene, PreviewBoundary } from './PreviewScene';
import { useCompanies, usePerson, useRoleChoices } from './useViewer';
import * as toolbarStyles from '../../list/toolbar.module.css';
import * as studioStyles from '../studio.module.css';
import * as styles from './preview.module.css';
import { lastOf } from '../../../engine/values/lookups';
import { Icon } from '../../icons/Icon';
import { formatAge } from '../timeAgo';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { usePopup } from '../../dialogs/usePopup';
import * as menuStyles from '../../list/menus.module.css';

/** The preview starts with this level: the company owner's. */
const ownerLevel = 2;
/** The smallest width in pixels of the desktop layout. */
const minDesktopWidth = 720;
const widths = ['Desktop', 'Phone'] as const;

/** Whether the studio runs on a phone: the preview then starts in phone width. */
function isPhone(): boolean {
  return window.matchMedia?.(phone.replace('@media ', '')).matches ?? false;
}

/** The list and the form of the last valid draft, with stored records, as a chosen role sees them. */
export const Preview = memo(function Preview() {
  const { valid, isStale } = useDraftPart((draft) => ({
    valid: draft.valid,
    isStale: draft.unreadable !== null || draft.plan?.valid === false,
  }));
  const [width, setWidth] = useState<(typeof widths)[number]>(() => (isPhone() ? 'Phone' : 'Desktop'));
  const [chosenCompany, setCompany] = useState<number>();
  const [chosenRole, setRole] = useState<number>();
  const askedCompanies = useCompanies();
  const companies = askedCompanies.data;
  const company = companies?.find(({ id }) => id === chosenCompany) ?? companies?.[0];
  const askedRoles = useRoleChoices(company?.id);
  const roles = askedRoles.data;
  const role = roles?.find(({ id }) => id === chosenRole) ?? roles?.find(({ level }) => level === ownerLevel);
  const askedPerson = usePerson(role, company?.id);
  const person = askedPerson.data;
  const failed = [askedCompanies, askedRoles, askedPerson].find(({ data, error }) => error && data === undefined);
  const complete = useMemo(
    () => (company && role && person !== undefined ? { company: company.id, role, person } : null),
    [company, person, role],
  );
  // The previous viewer stays until the next one is loaded.
  const [viewer, setViewer] = useState(complete);
  if (complete && complete !== viewer) setViewer(complete);
  const namedRoles = useMemo(() => roles?.map(({ id, role_name: name }) => ({ id, name })) ?? [], [roles]);
  const [scaleRef, scale] = useFitScale(minDesktopWidth);
  return (
    <>
      <header className={`${studioStyles.studioHead} ${styles.previewHead}`}>
        <h2>Live preview</h2>
        <span className={studioStyles.studioGrow} />
        {companies && companies.length > 1 && (
          <Picker label="Company:" options={companies} value={company?.id} onChange={setCompany} />
        )}
        <Picker label="Seen as" prefix="as " options={namedRoles} value={role?.id} onChange={setRole} />
        <span
          className={toolbarStyles.listViews}
          style={{ height: 28, marginLeft: 4 }}
          role="group"
          aria-label="Width of the preview"
        >
          {widths.map((name) => (
            <button key={name} type="button" aria-pressed={name === width} onClick={() => setWidth(name)}>
              {name}
            </button>
          ))}
        </span>
      </header>
      <div className={styles.preview} data-width={width} ref={scaleRef}>
        {failed ? (
          <FailedState
            title="The roles could not be loaded"
            message={failed.error?.message}
            onRetry={() => void failed.refetch()}
          />
        ) : viewer ? (
          <PreviewBoundary attempt={valid}>
            <DeferredScene {...viewer} scale={width === 'Phone' ? 1 : scale} />
          </PreviewBoundary>
        ) : (
          <SkeletonRows rows={8} />
        )}
        {isStale && <LastValidNotice time={valid.time} />}
      </div>
    </>
  );
});

type DeferredSceneProps = Omit<Parameters<typeof PreviewScene>[0], 'draft' | 'source' | 'module' | 'pointer'>;

function DeferredScene(props: DeferredSceneProps) {
  const { valid, module, pointer } = useDraftPart((draft) => ({
    valid: draft.valid,
    module: draft.module,
    pointer: draft.pointer,
  }));
  // Rendering is slow: deferred, so that typing stays fluent.
  const source = useDeferredValue(valid.source);
  const draft = useMemo(() => normalise(structuredClone(source)), [source]);
  return <PreviewScene key={module.name} {...props} {...{ draft, source, module, pointer }} />;
}

/** A ref for an element, and the scale (at most 1) at which content of at least `minWidth` pixels fits its width. */
function useFitScale(minWidth: number): [RefCallback<HTMLElement>, number] {
  const [scale, setScale] = useState(1);
  const measure = useCallback<RefCallback<HTMLElement>>(
    (element) => {
      if (!element || typeof ResizeObserver === 'undefined') return;
      const observer = new ResizeObserver((entries) => {
        const { width } = lastOf(entries).contentRect;
        setScale(width > 0 ? Math.min(1, width / minWidth) : 1);
      });
      observer.observe(element);
      return () => observer.disconnect();
    },
    [minWidth],
  );
  return [measure, scale];
}

/** A notice that the preview is of an earlier draft, with its age. */
function LastValidNotice({ time }: { time: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className={styles.previewLast} role="status">
      <Icon name="warning" />
      <span>
        The preview shows the last valid draft, <span aria-live="off">{formatAge(now - time)}</span>.
      </span>
    </p>
  );
}

interface PickerProps {
  /** Start of the button's accessible name, before the chosen option. */
  label: string;
  /** Text before the chosen option. */
  prefix?: string;
  options: readonly { id: number; name: string }[];
  value: number | undefined;
  onChange: (id: number) => void;
}

/** A small select in the preview's header. */
function Picker({ label, prefix = '', options, value, onChange }: PickerProps) {
  const menu = usePopup('menu');
  const currentOption = options.find(({ id }) => id === value);
  return (
    <>
      <Button
        variant="text"
        size="small"
        className={styles.previewPicker}
        {...menu.button}
        aria-label={`${label} ${currentOption?.name ?? ''}`}
        endIcon={<Icon name="chevron-down" size={14} />}
      >
        <span>
          {prefix}
          {currentOption?.name ?? '…'}
        </span>
      </Button>
      <Menu {...menu.popup} className={menuStyles.below}>
        {options.map(({ id, name }) => (
          <MenuItem
            key={id}
            role="menuitemradio"
            aria-checked={id === value}
            selected={id === value}
            onClick={menu.and(() => onChange(id))}
          >
            {name}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
