import type { CSSModulesOptions, Plugin } from 'vite';

/** The option `css.modules` of Vite. */
export const styleModules: CSSModulesOptions;

/** The plugin that keeps the sheets of inlined names, and refuses names that no sheet has. */
export function keptSheets(): Plugin;

/** The plugin for tests without a browser: names of classes, and no CSS. */
export function classNamesOnly(): Plugin;
