import type { Page } from '@playwright/test';

/** How the columns of a list stand, in pixels. */
export interface ColumnReport {
  /** Titles that are cut. */
  readonly cutTitles: readonly string[];
  /** Texts of other columns and of headers that are cut. */
  readonly cutTexts: readonly string[];
  /** For each column but the title, how much wider it is than header and values need. */
  readonly spare: Readonly<Record<string, number>>;
  /** Where the first row begins. */
  readonly firstRow: number;
}

/** Measures the grid that a page shows. */
export async function measureColumns(page: Page): Promise<ColumnReport> {
  return page.evaluate(() => {
    const isCut = (part: Element) =>
      [part, ...part.querySelectorAll('*')].some(
        (element) =>
          element.scrollWidth > element.clientWidth + 1 &&
          // Texts for screen readers alone are one pixel wide.
          element.clientWidth > 1 &&
          getComputedStyle(element).overflowX === 'hidden' &&
          element.textContent !== '',
      );
    const textWidth = (part: Element) => {
      const range = document.createRange();
      range.selectNodeContents(part);
      return range.getBoundingClientRect().width;
    };
    const padding = 20;
    const sortIcon = 20;
    const cutTitles: string[] = [];
    const cutTexts: string[] = [];
    const spare: Record<string, number> = {};
    const headers = [...document.querySelectorAll<HTMLElement>('.MuiDataGrid-columnHeader[data-field]')].filter(
      ({ dataset }) => !dataset.field!.startsWith('__'),
    );
    const title = document
      .querySelector<HTMLElement>('.MuiDataGrid-cell[data-field] a[class*=title-link]')
      ?.closest<HTMLElement>('[data-field]')?.dataset.field;
    for (const header of headers) {
      const { field = '' } = header.dataset;
      const cells = [
        ...document.querySelectorAll<HTMLElement>(`.MuiDataGrid-row .MuiDataGrid-cell[data-field="${field}"]`),
      ];
      const label = header.querySelector('.MuiDataGrid-columnHeaderTitle')!;
      if (isCut(label)) cutTexts.push(`header ${label.textContent}`);
      const cut = cells.filter(isCut).map((cell) => `${field}: ${cell.textContent}`);
      (field === title ? cutTitles : cutTexts).push(...cut);
      const icon = header.querySelector('.MuiDataGrid-sortIcon') ? sortIcon : 0;
      const need = Math.max(textWidth(label) + icon, ...cells.map(textWidth)) + padding;
      // A bar is as wide as it is drawn.
      const isBar = cells.some((cell) => cell.querySelector('[role=img]'));
      if (field !== title && !isBar) spare[field] = Math.round(header.getBoundingClientRect().width - need);
    }
    const row = document.querySelector('.MuiDataGrid-row')!;
    return { cutTitles, cutTexts, spare, firstRow: Math.round(row.getBoundingClientRect().top) };
  });
}
