import { StartError } from '../lib/start-error.ts';

/** @throws StartError when the sources run without the development packages, which contain the SDK. */
export async function loadTraceExporter() {
  try {
    return await import('../observability/trace-exporter.ts');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const sentence = 'Traces cannot be exported without the development packages';
    throw new StartError(`${sentence}; run "npm ci", or unset OTEL_EXPORTER_OTLP_ENDPOINT.`, {
      cause,
    });
  }
}
