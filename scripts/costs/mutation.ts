import { bought, checked, named, registration, settled, transfer } from './documents.ts';
import type { FieldCost } from './field-cost.ts';

/** Every root field of `Mutation`. */
export const mutationCosts: readonly FieldCost[] = [
  {
    field: 'Mutation.registerDomain',
    calls:
      '1 `tldlist`, 1 `resellerdetails`, 1 `singlecheckavailability`, 1 `getdetails`, 1 `registerdomain`; 1 more `getdetails` when the answer was lost; a dry run neither of the last two; a known key none',
    measured: [
      {
        document: `mutation { ${registration('maple-harbor.com', 'operation { state }')} }`,
        counts: { ...bought, getdetails: 1, registerdomain: 1 },
      },
      {
        document: `mutation { ${registration('lost-answer-harbor.com', 'operation { state }')} }`,
        counts: { ...bought, registerdomain: 1, getdetails: 2 },
      },
      {
        document: `mutation { ${registration('maple-orchard.com', 'price { amount }', ', dryRun: true')} }`,
        counts: bought,
      },
      { before: settled('cost-4'), document: settled('cost-4'), counts: {} },
    ],
  },
  {
    field: 'Mutation.transferDomain',
    calls:
      '1 `tldlist`, 1 `resellerdetails`, 2 `getdetails`, 1 `transferdomain`; otherwise as `registerDomain`, and a dry run 1 `getdetails`',
    measured: [
      {
        document: `mutation { ${transfer(', dryRun: true')} { price { amount } } }`,
        counts: checked,
      },
      {
        document: `mutation { ${transfer('')} { operation { state } } }`,
        counts: { ...checked, getdetails: 2, transferdomain: 1 },
      },
    ],
  },
  {
    field: 'Mutation.setNameServers',
    calls: '1 `modifynameserver`',
    measured: [
      {
        document: `mutation { ${named('setNameServers', ', nameServers: ["ns1.example.com", "ns2.example.com"]')} { nameServers } }`,
        counts: { modifynameserver: 1 },
      },
    ],
  },
  {
    field: 'Mutation.addChildNameServer',
    calls: '1 `addchildnameserver`',
    measured: [
      {
        document: `mutation { ${named('addChildNameServer', ', nameServer: "ns9.reseller-demo.com", ipAddress: "192.5.6.31"')} { childNameServer { name } } }`,
        counts: { addchildnameserver: 1 },
      },
    ],
  },
  {
    field: 'Mutation.disableTransferLock',
    calls: '1 `disabletheftlock`',
    measured: [
      {
        document: `mutation { ${named('disableTransferLock')} { transferLocked } }`,
        counts: { disabletheftlock: 1 },
      },
    ],
  },
  {
    field: 'Mutation.setPrivacyProtection',
    calls: '1 `modifyprivacystatus`',
    measured: [
      {
        document: `mutation { ${named('setPrivacyProtection', ', enabled: true')} { privacyProtected } }`,
        counts: { modifyprivacystatus: 1 },
      },
    ],
  },
  {
    field: 'Mutation.syncDomain',
    calls: '1 `syncfromregistry`',
    measured: [
      {
        document: `mutation { ${named('syncDomain')} { registryStatus } }`,
        counts: { syncfromregistry: 1 },
      },
    ],
  },
  {
    field: 'Mutation.createCart',
    calls: '1 `POST /carts`',
    measured: [
      {
        document:
          'mutation { createCart(input: { items: [{ description: "Hosting", quantity: "2", unitPrice: "30", productType: "hosting" }] }) { cart { id } } }',
        counts: { 'POST /carts': 1 },
      },
    ],
  },
  {
    field: 'Mutation.updateHostingGroup',
    calls: '1 `PATCH /hosting/group/{id}`',
    measured: [
      {
        document:
          'mutation { updateHostingGroup(input: { id: "hg_demo_1", name: "Renamed" }) { hostingGroup { name } } }',
        counts: { 'PATCH /hosting/group/{id}': 1 },
      },
    ],
  },
  {
    field: 'Mutation.deleteHostingGroup',
    calls: '1 `DELETE /hosting/group`',
    measured: [
      {
        document: 'mutation { deleteHostingGroup(input: { confirm: true }) { deleted } }',
        counts: { 'DELETE /hosting/group': 1 },
      },
      {
        document: 'mutation { deleteHostingGroup(input: { confirm: false }) { errors { code } } }',
        counts: {},
      },
    ],
  },
  {
    field: 'Mutation.deleteLogs',
    calls: '1 `DELETE /logs`',
    measured: [
      {
        document: 'mutation { deleteLogs(input: { confirm: true }) { deleted } }',
        counts: { 'DELETE /logs': 1 },
      },
    ],
  },
  {
    field: 'Mutation.logout',
    calls: '1 `POST /auth/logout`',
    measured: [
      { document: 'mutation { logout { loggedOut } }', counts: { 'POST /auth/logout': 1 } },
    ],
  },
];
