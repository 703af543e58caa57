import type { ComponentType } from 'react';
import type { ProductFieldType } from './fields/productTypes';
import { pageMeta } from './brand/pageMeta';
import type { Definitions } from './data/DefinitionsContext';
import type { Session, SignInFacts } from './session/session';

/**
 * The browser's half of a product: everything in the application that is not derived from definitions. The application
 * knows a product only by this object, which the composition root (`src/main.tsx`) passes to `start`. Its contents are in
 * the application's first script, so screens are loaded on demand.
 *
 * @example
 * export const product: BrowserProduct = {
 *   name: 'crm',
 *   welcome: 'Every customer, every conversation.',
 *   home: '/pipeline',
 *   loadScreens: () => import('./screens'),
 * };
 */
export interface BrowserProduct {
  /** As the server calls it (`Product.name`): only the screens of the product that the server runs are offered. */
  readonly name: string;
  /** A sentence below the welcome on the sign-in page. */
  readonly welcome?: string;
  /** The path of its screen that is the home page. Without it the home page lists the modules. */
  readonly home?: string;
  /**
   * The names of what the response of a sign-in says beside the account (`Product.signInFacts`), which the browser
   * keeps with the session.
   *
   * @example ['totalDeals']
   */
  readonly facts?: readonly string[];
  /**
   * The screen that a sign-in must lead to, such as a setup; undefined for the page that was asked for, or the home page.
   *
   * @example ({ role, totalDeals }) => (role.level === 2 && totalDeals === 0 ? '/first-deal' : undefined)
   */
  readonly firstPath?: (session: Session & SignInFacts) => string | undefined;
  /** Screens for visitors without an account. */
  readonly publicScreens?: readonly PublicScreen[];
  /** Loads the list of its screens behind the sign-in, along with the application's frame. */
  readonly loadScreens?: () => Promise<ProductScreens>;
}

/** A custom screen for visitors without an account. */
export interface PublicScreen {
  /** The prefix of its paths: `/shared/`. */
  start: string;
  load: () => Promise<{ default: ComponentType }>;
}

/** A custom screen, passed to the application by the product. */
export interface CustomScreen {
  /** Its react-router path: `/timesheet`. */
  path: string;
  load: () => Promise<{ default: ComponentType }>;
  /** Its entry in the side menu; without it the screen is reached by links only. */
  menu?: {
    label: string;
    icon: string;
    group?: string;
    order?: number;
    /** It is a tab of the entry of this name, which all that say so share. */
    tabOf?: string;
    /** A letter: G and the letter open it. */
    key?: string;
    /** It is in the list of settings, instead of the side menu. */
    settings?: boolean;
  };
  /**
   * Decides whether a user may open it; everybody may if it is left out. At the path of a generated form (`/deals/create`),
   * the others have the form.
   */
  allowed?: (definitions: Definitions) => boolean;
  /** Hides the side menu while it is shown. */
  menuHidden?: boolean;
  /** Starts with the side menu folded, because the screen needs the width. */
  menuFolded?: boolean;
}

/** A path that redirects to another one: `/modules/:name` to `/studio/:name`. */
export interface Alias {
  path: string;
  to: string;
}

/** A layout of lists that a product brings. */
export interface ProductView {
  /** Its name in the switch of views. */
  readonly label: string;
  /** One of `iconNames`. */
  readonly icon: string;
  /** Loads the component that shows the list around it: `useListContext()` has its records, order, filters, page and selection. */
  readonly load: CustomScreen['load'];
}

/** The additions of a product to the application behind the sign-in. */
export interface ProductScreens {
  /** Each with its path, its entry in the menu, and who may open it. */
  readonly screens: readonly CustomScreen[];
  readonly aliases?: readonly Alias[];
  /** Shown above every screen, for what does not belong to one: work of the browser that waits. Mostly it shows nothing. */
  readonly bar?: ComponentType;
  /** The field types that its definitions use, beside those of the engine; `Product.fieldTypes` is the server's half. */
  readonly fieldTypes?: Readonly<Record<string, ProductFieldType>>;
  /** The components that tabs of forms and record pages show in place of a list, by the names in definitions (`form.tabs[].content`). */
  readonly formTabs?: Readonly<Record<string, CustomScreen['load']>>;
  /** The layouts of lists besides the built-in ones, by the names in definitions (`list.views`), which have a hyphen. */
  readonly listViews?: Readonly<Record<string, ProductView>>;
}

/** A product of definitions alone: the application has everything that they and the system need. */
const definitionsOnly: BrowserProduct = { name: '' };

let selected = definitionsOnly;

/**
 * Selects the product that the server runs, by the name that the page gives, among those compiled in. If it is none of
 * them, nothing of theirs is offered.
 *
 * @example
 * const product = selectProduct([crm, inventory]);
 */
export function selectProduct(products: readonly BrowserProduct[]): BrowserProduct {
  const name = pageMeta('product');
  selected = products.find((product) => product.name === name) ?? definitionsOnly;
  return selected;
}

/** The selected product. */
export function currentProduct(): BrowserProduct {
  return selected;
}

/** The path of the home page. */
export function homePath(): string {
  return selected.home ?? '/';
}
