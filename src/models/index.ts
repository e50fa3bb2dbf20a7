/** Models that the owner chose: what turns texts into vectors, and what answers a question. Other folders enter here. */

export { checkVectors, DimensionMismatch, type Embedder } from './embedder.ts'
export { encoderIn } from './encoder.ts'
export { ENCODER_MODEL, encoderInstallCommand, findEncoder } from './encoder-packages.ts'
export { placeOf } from './endpoint.ts'
export { type ChatRequest, httpChat } from './http-chat.ts'
export { httpEmbedder } from './http-embedder.ts'
