# The reference bookstore (default) or the payment stub (`docker run IMAGE payment-stub --host 0.0.0.0 --port 8081`).
FROM node:20-slim AS build
WORKDIR /app
# Dependencies first: they change less often than the sources.
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN node build.mjs && npm prune --omit=dev

FROM node:20-slim
WORKDIR /app
ENV NODE_ENV=production
COPY --from=build --chown=node:node /app/package.json ./
COPY --from=build --chown=node:node /app/node_modules ./node_modules
COPY --from=build --chown=node:node /app/bin ./bin
COPY --from=build --chown=node:node /app/dist ./dist
USER node
EXPOSE 8080 8081
# Node is the first process: SIGTERM from `docker stop` reaches it, and it finishes its requests and its access log.
ENTRYPOINT ["node", "bin/bookstore-load.mjs"]
CMD ["bookstore", "--host", "0.0.0.0", "--port", "8080"]
