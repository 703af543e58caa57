import type { QueryKey } from '@tanstack/react-query';
import IconButton from '@mui/material/IconButton';
import { formatNumber } from '../../engine/formats/numbers';
import { pageCount, pageNumbers, rangeText } from '../../engine/lists/pagination';
import { perPage as defaultSize } from '../../engine/lists/list-state';
import { Icon } from '../icons/Icon';
import { lazyComponent } from '../states/lazyComponent';
import * as paginationStyles from './pagination.module.css';
import * as toolbarStyles from './toolbar.module.css';

const ExactTotal = lazyComponent(() => import('./ExactTotal').then((part) => ({ default: part.ExactTotal })));

interface PaginationProps {
  page: number;
  /** Default: 15. */
  perPage?: number;
  /** Records on this page; undefined while they load. */
  shownCount: number | undefined;
  total: number | undefined;
  /** Of `useRecords`: an estimate can be counted. */
  totalKey?: QueryKey | undefined;
  onPage: (page: number) => void;
}

/** `1–15 of 87`, and links to the other pages. */
export function Pagination({ page, perPage = defaultSize, shownCount, total, totalKey, onPage }: PaginationProps) {
  const count = pageCount({ page, perPage, shownCount: shownCount ?? 0, total: total ?? 0 });
  const range = shownCount !== undefined && total !== undefined && rangeText(page, perPage, shownCount, total);
  return (
    <footer className={paginationStyles.listFoot}>
      <span className="num" role="status" tabIndex={-1}>
        {range}
      </span>
      {totalKey && total !== undefined && !Number.isInteger(total) && (
        <ExactTotal totalKey={totalKey} isNeeded={shownCount === 0 && page > 1} />
      )}
      {count > 1 && (
        <>
          <span className={`${paginationStyles.listPer} num`}>{perPage} a page</span>
          <span className={toolbarStyles.listGrow} />
          <nav aria-label="Pages">
            <IconButton size="small" aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
              <Icon name="chevron-left" />
            </IconButton>
            {pageNumbers(page, count).map((number, index) =>
              number === null ? (
                <span key={`gap-${index}`} className={paginationStyles.listGap}>
                  …
                </span>
              ) : (
                <button
                  key={number}
                  type="button"
                  className={`${paginationStyles.pageNumber} num`}
                  aria-label={`Page ${formatNumber(number)}`}
                  aria-current={number === page ? 'page' : undefined}
                  onClick={() => onPage(number)}
                >
                  {formatNumber(number)}
                </button>
              ),
            )}
            <IconButton size="small" aria-label="Next page" disabled={page >= count} onClick={() => onPage(page + 1)}>
              <Icon name="chevron-right" />
            </IconButton>
          </nav>
        </>
      )}
    </footer>
  );
}
