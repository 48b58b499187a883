import { type ModelFacts, type ModelPrice, UNKNOWN_MODEL } from '../core/model.ts';
import rows from './model-facts.json' with { type: 'json' };

/** Facts of a model, and whether it takes images; null where it is not known. */
export interface KnownModel extends ModelFacts {
  readonly seesImages: boolean | null;
}

/** A model of the table. */
export interface ListedModel extends KnownModel {
  readonly vendor: string;
  readonly model: string;
}

/** The day on which the sources were read, as stored copies: no price was checked against a live page or a bill. */
const READ_ON = '2026-11-30';

interface Row {
  readonly context: number | null;
  readonly output: number | null;
  readonly images: boolean | null;
  /** Input, output, cache read, cache write. */
  readonly price: readonly number[] | null;
  readonly source: string;
}

// A map: the names come from outside, and one may be `constructor`.
const ROWS: ReadonlyMap<string, Row> = new Map(Object.entries(rows));
// What vendors add to a name for one release of it, such as -20251001 and -2026-09-29.
const RELEASE = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;

/** What is known of a vendor's model, by its exact name or that name with a date behind it. A model that is not in the table works too. */
export function factsOf(vendor: string, model: string): KnownModel {
  const row = ROWS.get(`${vendor}/${model}`) ?? ROWS.get(`${vendor}/${model.replace(RELEASE, '')}`);
  return row === undefined ? { ...UNKNOWN_MODEL, seesImages: null } : factsOfRow(row);
}

/** The vendor's models of the table, best known first. */
export function modelsOf(vendor: string): readonly ListedModel[] {
  const start = `${vendor}/`;
  return [...ROWS]
    .filter(([name]) => name.startsWith(start))
    .map(([name, row]) => ({ vendor, model: name.slice(start.length), ...factsOfRow(row) }));
}

function factsOfRow(row: Row): KnownModel {
  return { contextTokens: row.context, maxOutputTokens: row.output, price: priceOf(row), seesImages: row.images };
}

function priceOf({ price, source }: Row): ModelPrice | null {
  if (price === null) return null;
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = price;
  return { input, output, cacheRead, cacheWrite, source: `${source} (unverified)`, date: READ_ON };
}
