import { oneOf } from '../../persistence/lists.ts';
import { allOf } from '../../persistence/results.ts';
import { type Database, rowsOf } from '../../persistence/tables.ts';
import { reading, writing } from '../../persistence/unavailable.ts';
import { stored } from '../../scope/tenant.ts';
import { type Resolution, type ResolutionTables, resolutionsTable } from './resolution-table.ts';

export function createResolutionStore(database: Database) {
  const db = database.$extendTables<ResolutionTables>();
  return {
    ofPurchases: (account: string, ids: readonly string[]) =>
      reading(() =>
        allOf(
          rowsOf(db, 'purchase_resolutions', account)
            .select(resolutionsTable.columns)
            .where(oneOf('purchase_id')(ids)),
          resolutionsTable.record,
        ),
      ),
    /** Replaces an earlier row of the outcome while the purchase is UNKNOWN: that row did not end it. */
    write: (account: string, resolution: Resolution) =>
      writing(async () => {
        const { purchase_id, outcome, ...facts } = resolutionsTable.row(resolution);
        await db
          .insertInto('purchase_resolutions')
          .values({ account, purchase_id, outcome, ...facts })
          .onConflict((conflict) =>
            conflict
              .columns(['account', 'purchase_id', 'outcome'])
              .doUpdateSet(facts)
              .where(({ exists, selectFrom }) =>
                exists(
                  selectFrom('purchases')
                    .select('id')
                    .where('id', '=', purchase_id)
                    .where('state', '=', 'UNKNOWN'),
                ),
              ),
          )
          .execute();
      }),
  };
}

export const resolutionStore = stored('resolutions', createResolutionStore);
