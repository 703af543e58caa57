import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { isGranted } from '../../src/engine/access/access-decision';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { Icon } from '../../src/app/icons/Icon';
import { useDownload } from '../../src/app/list/export/useDownload';
import type { Overview, OverviewRun } from './overviewApi';
import { useReportLink } from './useReportLink';

interface OverviewMenuProps {
  run: OverviewRun;
  overview: Overview;
  /** Shows the details, where they have no button of their own. */
  onDetails?: () => void;
}

/** The report of a run, its tests as a spreadsheet, and where it is changed. */
export function OverviewMenu({ run, overview, onDetails }: OverviewMenuProps) {
  const { registry, actor } = useDefinitions();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { progress, start } = useDownload();
  const close = () => setAnchor(null);
  const report = useReportLink(run);
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
        {isGranted(actor, 'test-runs', 'edit') && (
          <MenuItem component={Link} to={`/test-runs/${run.id}`} onClick={close}>
            <Icon name="pencil" />
            Edit
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
