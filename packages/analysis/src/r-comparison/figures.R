# Rscript figures.R FOLDER
# Reads the files that r-comparison.test.ts wrote into the folder, and writes the same figures by R beside them: by base
# R, and by lme4 where that is installed.

folder <- commandArgs(TRUE)[1]
readTable <- function(name) read.csv(file.path(folder, name), stringsAsFactors = FALSE)
writeTable <- function(table, name) write.csv(table, file.path(folder, name), row.names = FALSE)

# Means of lines and their errors by least squares: every environment has equal weight, and so has every cell
# (replicate or block) of an environment.
adjustedMeans <- function(plots) {
  fit <- lm(yield ~ 0 + line + cell, plots)
  cells <- unique(plots[c("env", "cell")])
  weight <- as.numeric(1 / length(unique(cells$env)) / table(cells$env)[cells$env])
  lines <- levels(plots$line)
  combination <- matrix(0, length(lines), length(coef(fit)), dimnames = list(lines, names(coef(fit))))
  combination[cbind(lines, paste0("line", lines))] <- 1
  for (i in seq_len(nrow(cells))) {
    name <- paste0("cell", cells$cell[i])
    if (name %in% colnames(combination)) combination[, name] <- weight[i]
  }
  data.frame(
    line = lines,
    mean = as.numeric(combination %*% coef(fit)),
    se = sqrt(rowSums((combination %*% vcov(fit)) * combination))
  )
}

# 1 - MS(line x environment) / MS(line) of the analysis of variance of a balanced trial.
entryMeanHeritability <- function(plots) {
  squares <- anova(lm(yield ~ cell + line + line:env, plots))
  1 - squares["line:env", "Mean Sq"] / squares["line", "Mean Sq"]
}

# Cells and checks fixed, the other lines random, and lines within environments where replicates tell them apart.
mixedModel <- function(plots, withInteraction) {
  plots$new <- as.numeric(plots$check == 0)
  plots$named <- factor(ifelse(plots$check == 1, as.character(plots$line), " none"))
  model <- if (any(plots$check == 1)) yield ~ 0 + cell + named + (0 + new | line) else yield ~ 0 + cell + (1 | line)
  if (withInteraction) model <- update(model, . ~ . + (1 | line:env))
  control <- lme4::lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-12, maxfun = 1e5))
  lme4::lmer(model, plots, control = control)
}

# H2 after Cullis, Smith & Coombes (2006) at given variances, from dense matrices.
cullis <- function(plots, x, variances) {
  line <- model.matrix(~ 0 + line, plots)[, levels(plots$line) %in% plots$line[plots$check == 0], drop = FALSE]
  pair <- model.matrix(~ 0 + factor(paste(line, env)), plots)
  v <- variances[1] * tcrossprod(line) + variances[2] * tcrossprod(pair) + variances[3] * diag(nrow(plots))
  vi <- solve(v)
  p <- vi - vi %*% x %*% solve(t(x) %*% vi %*% x) %*% t(x) %*% vi
  errors <- variances[1] * diag(ncol(line)) - variances[1]^2 * t(line) %*% p %*% line
  q <- ncol(line)
  difference <- 2 / (q - 1) * (sum(diag(errors)) - sum(errors) / q)
  1 - difference / (2 * variances[1])
}

for (name in c("balanced", "unbalanced", "augmented")) {
  plots <- readTable(paste0(name, ".csv"))
  plots <- plots[!is.na(plots$yield), ]
  plots$line <- factor(plots$line)
  plots$cell <- factor(paste(plots$env, plots$rep))
  writeTable(adjustedMeans(plots), paste0(name, "-means.csv"))
  if (name == "balanced") writeTable(data.frame(h2 = entryMeanHeritability(plots)), "balanced-h2.csv")
  if (!requireNamespace("lme4", quietly = TRUE)) next
  withInteraction <- name != "augmented"
  fit <- mixedModel(plots, withInteraction)
  components <- as.data.frame(lme4::VarCorr(fit))
  variance <- function(group) sum(components$vcov[components$grp == group])
  variances <- c(variance("line"), variance("line:env"), variance("Residual"))
  writeTable(
    data.frame(
      line = variances[1], interaction = variances[2], residual = variances[3],
      logLikelihood = as.numeric(logLik(fit)),
      cullis = cullis(plots, lme4::getME(fit, "X"), variances)
    ),
    paste0(name, "-components.csv")
  )
}

# REML of y = mean + g + e, g ~ N(0, K s2g), by a search over s2e/s2g with dense matrices.
trait <- readTable("trait.csv")$y
kinship <- as.matrix(read.csv(file.path(folder, "kinship.csv"), header = FALSE))
n <- length(trait)
one <- matrix(1, n, 1)
profile <- function(logRatio) {
  h <- kinship + exp(logRatio) * diag(n)
  hi <- solve(h)
  p <- hi - hi %*% one %*% solve(t(one) %*% hi %*% one) %*% t(one) %*% hi
  genetic <- as.numeric(t(trait) %*% p %*% trait) / (n - 1)
  logs <- as.numeric(determinant(h)$modulus) + log(sum(hi)) - log(n)
  list(
    value = -0.5 * ((n - 1) * log(2 * pi * genetic) + logs + n - 1),
    genetic = genetic,
    blup = as.numeric(kinship %*% p %*% trait)
  )
}
grid <- seq(-8, 8, by = 0.25)
start <- grid[which.max(sapply(grid, function(at) profile(at)$value))]
found <- optimize(function(at) profile(at)$value, start + c(-0.25, 0.25), maximum = TRUE, tol = 1e-10)$maximum
best <- profile(found)
writeTable(
  data.frame(genetic = best$genetic, residual = best$genetic * exp(found), logLikelihood = best$value),
  "reml.csv"
)
writeTable(data.frame(blup = best$blup), "blup.csv")

# Exact test of Hardy-Weinberg proportions: all heterozygote counts that the allele counts allow, by log-factorials.
counts <- readTable("genotypes.csv")
exact <- function(het, hom1, hom2) {
  individuals <- het + hom1 + hom2
  copies <- 2 * hom1 + het
  h <- seq(copies %% 2, min(copies, 2 * individuals - copies), by = 2)
  other1 <- (copies - h) / 2
  logs <- h * log(2) - lfactorial(h) - lfactorial(other1) - lfactorial(individuals - h - other1)
  weights <- exp(logs - max(logs))
  sum(weights[weights <= weights[h == het] * (1 + 1e-9)]) / sum(weights)
}
writeTable(data.frame(p = mapply(exact, counts$het, counts$hom1, counts$hom2)), "hwe.csv")
