import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { Icon } from '../../icons/Icon';
import { useDraftPart } from '../draft';
import { OtherModules } from './OtherModules';
import { PlanTable } from './PlanTable';
import { planSummary } from './planSummary';
import { hasChanges, type Publishing } from './usePublish';
import * as studioStyles from '../studio.module.css';
import * as styles from './plan.module.css';

/** The steps stay folded for other definitions once they were. */
let wasFolded = false;

/** The migration plan, and the button that publishes. */
export function PlanPanel({ publishing }: { publishing: Publishing }) {
  const {
    module,
    base,
    planning,
    discard,
    changed: isChanged,
    blocked,
    summary,
    shown: visiblePlan,
  } = useDraftPart((draft) => ({
    module: draft.module,
    base: draft.base,
    planning: draft.planning,
    discard: draft.discard,
    changed: hasChanges(draft),
    blocked: draft.unreadable !== null || draft.plan?.valid === false || draft.planError !== null,
    summary: planSummary(draft),
    shown: draft.plan?.valid && !draft.unreadable ? draft.plan : draft.validPlan,
  }));
  const { publish, isBusy, note, setNote } = publishing;
  const [isFolded, setIsFolded] = useState(wasFolded);
  const fold = () => {
    wasFolded = !isFolded;
    setIsFolded(wasFolded);
  };
  const navigate = useNavigate();
  const isNew = base.version === 0;
  return (
    <section className={styles.studioPlan} aria-label="Migration plan" aria-busy={planning}>
      <header>
        {isChanged && (
          <IconButton
            size="small"
            aria-label={isFolded ? 'Show the steps' : 'Hide the steps'}
            title={isFolded ? 'Show the steps' : 'Hide the steps'}
            aria-expanded={!isFolded}
            onClick={fold}
          >
            <Icon name={isFolded ? 'chevron-right' : 'chevron-down'} />
          </IconButton>
        )}
        <h2>Migration plan</h2>
        <p data-tone={summary.alarming ? 'urgent' : undefined} role="status">
          {summary.alarming && <Icon name="warning" />}
          <span>{summary.text}</span>
        </p>
        <span className={studioStyles.studioGrow} />
        {isChanged && (
          <OutlinedInput
            size="small"
            className={styles.studioNote}
            placeholder="What changes, and why"
            value={note}
            onChange={(event) => setNote(event.target.value)}
            slotProps={{ input: { 'aria-label': 'Note for this version', maxLength: 500 } }}
          />
        )}
        <Button
          variant="text"
          disabled={!isChanged || isBusy}
          onClick={() => {
            discard();
            if (isNew) void navigate('/studio');
          }}
        >
          Discard draft
        </Button>
        {!isNew && (
          <Button
            component={Link}
            to={`/studio/${module.name}/versions?from=${base.version}&to=draft`}
            variant="outlined"
          >
            Compare with version {base.version}
          </Button>
        )}
        <Button
          variant="contained"
          startIcon={<Icon name="upload" />}
          aria-keyshortcuts="Control+S"
          disabled={!isChanged || blocked || isBusy}
          onClick={publish}
        >
          Publish
        </Button>
      </header>
      <OtherModules />
      {isChanged && !isFolded && <PlanTable steps={visiblePlan?.steps ?? []} module={module} />}
    </section>
  );
}
