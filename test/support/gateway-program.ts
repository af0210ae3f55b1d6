import { startGateway } from '../../src/app/compose.ts';
import { readConfig } from '../../src/app/read-config.ts';

// A gateway with overrides, which `src/main.ts` does not take: node gateway-program.ts '{"quietWindowMs":1000}'

const gateway = await startGateway(readConfig(), JSON.parse(process.argv[2] ?? '{}'));
process.once('SIGTERM', () => void gateway.close().then(() => process.exit()));
process.stdout.write(`${gateway.url}\n`);
