import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { rowActions } from '../../src/engine/lists/row-actions';
import { isGranted } from '../../src/engine/access/access-decision';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { useRunAction } from '../../src/app/actions/useActions';
import { Icon } from '../../src/app/icons/Icon';
import { useDownload } from '../../src/app/list/export/useDownload';
import type { Overview, OverviewRun } from './overviewApi';
import { useReportLink } from './useReportLink';

interface OverviewMenuProps {
  run: OverviewRun;
  overview: Overview;
  /** The run itself. */
  mayEdit: boolean;
  /** Shows the details, where they have no button of their own. */
  onDetails?: () => void;
}

/** At the end of its line. */
const keyStyle = { marginLeft: 'auto' };

/** The report of a run, its tests as a spreadsheet, and where it is changed. */
export function OverviewMenu({ run, overview, mayEdit, onDetails }: OverviewMenuProps) {
  const { registry, actor } = useDefinitions();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { progress, start } = useDownload();
  const close = () => setAnchor(null);
  const report = useReportLink(run);
  const definition = registry.getOrThrow('test-runs');
  const evaluationContext = useEvaluationContext(definition);
  const runAction = useRunAction();
  const record = { ...run };
  const copies = rowActions(definition, record, actor, evaluationContext).filter(({ calls }) => calls !== undefined);
  const exportPath = registry.getOrThrow('run-entries').export?.path;
  const mayAdd = run.state !== 'closed' && run.source === 'people' && isGranted(actor, 'run-entries', 'create');
  const download = () => {
    close();
    const query = new URLSearchParams({ filter: JSON.stringify({ run_id: run.id }), columns: '*', format: 'xlsx' });
    start(`/${exportPath}?${query}`);
  };
  return (
    <>
      <IconButton
        aria-label="More actions"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="more" size={18} />
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close}>
        {onDetails && (
          <MenuItem
            onClick={() => {
              close();
              onDetails();
            }}
          >
            <Icon name="panel" />
            Details
            <kbd style={keyStyle}>I</kbd>
          </MenuItem>
        )}
        <MenuItem component={Link} to={`/test-runs/${run.id}/report`} onClick={close}>
          <Icon name="file" />
          Report
        </MenuItem>
        {overview.earlier && (
          <MenuItem component={Link} to={`/test-runs/${run.id}/compare/${overview.earlier.id}`} onClick={close}>
            <Icon name="columns" />
            Compare with {overview.earlier.key ?? overview.earlier.name}
          </MenuItem>
        )}
        {report.address !== '' && (
          <MenuItem
            onClick={() => {
              close();
              void report.copy();
            }}
          >
            <Icon name="link" />
            Copy the public link
          </MenuItem>
        )}
        {exportPath !== undefined && isGranted(actor, 'run-entries', 'list') && (
          <MenuItem onClick={download} disabled={progress !== null}>
            <Icon name="download" />
            Download Excel
          </MenuItem>
        )}
        {mayAdd && (
          <MenuItem component={Link} to={`/test-runs/${run.id}/add-tests`} onClick={close}>
            <Icon name="plus" />
            Add tests
          </MenuItem>
        )}
        {copies.map((action) => (
          <MenuItem
            key={action.name}
            onClick={() => {
              close();
              runAction(action, record);
            }}
          >
            <Icon name={action.icon} />
            {action.label}
          </MenuItem>
        ))}
        {mayEdit && (
          <MenuItem component={Link} to={`/test-runs/${run.id}`} onClick={close}>
            <Icon name="pencil" />
            Edit
            <kbd style={keyStyle}>E</kbd>
          </MenuItem>
        )}
        <MenuItem component={Link} to={`/test-runs/${run.id}/history`} onClick={close}>
          <Icon name="history" />
          History
        </MenuItem>
      </Menu>
    </>
  );
}
